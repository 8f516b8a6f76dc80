import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

class Create {
    public static void main(String[] args) throws Exception {
        var env = System.getenv();
        var request = HttpRequest.newBuilder(URI.create(env.get("BILI_URL") + "/api/v3/bills/create"))
            .header("Authorization", "ApiKey " + env.get("BILI_KEY_ID") + ":" + env.get("BILI_SECRET"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", "ORDER-1")
            .timeout(Duration.ofSeconds(30))
            .POST(HttpRequest.BodyPublishers.ofString("""
                {"amount": 5000, "reference": "ORDER-1", "mobile": "0712345001"}"""))
            .build();
        var answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) throw new RuntimeException(answer.body());
        System.out.println(answer.body());
    }
}
