import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

class Read {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var request = HttpRequest.newBuilder(URI.create(env.get("BILI_URL") + "/api/v3/bills/" + env.get("BILL_ID")))
            .header("Authorization", "ApiKey " + env.get("BILI_KEY_ID") + ":" + env.get("BILI_SECRET"))
            .timeout(Duration.ofSeconds(30))
            .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new RuntimeException(answer.body());
        System.out.println(answer.body());
    }
}
