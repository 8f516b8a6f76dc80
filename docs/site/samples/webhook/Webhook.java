import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    static boolean isFromBili(String secret, Headers headers, byte[] body) throws Exception {
        var id = Objects.requireNonNullElse(headers.getFirst("webhook-id"), "");
        var timestamp = Objects.requireNonNullElse(headers.getFirst("webhook-timestamp"), "");
        var signatures = Objects.requireNonNullElse(headers.getFirst("webhook-signature"), "");
        if (id.isEmpty() || !timestamp.matches("\\d{1,12}")) return false;
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        var expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (var given : signatures.split(" ")) {
            if (MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), expected)) return true;
        }
        return false;
    }

    public static void main(String[] args) throws Exception {
        var secret = System.getenv("BILI_WEBHOOK_SECRET");
        var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.createContext("/", exchange -> {
            var body = exchange.getRequestBody().readAllBytes(); // the raw bytes
            var status = 500;
            try {
                var valid = isFromBili(secret, exchange.getRequestHeaders(), body);
                status = valid ? 200 : 401;
                // Store the webhook-id and the bill's id here. Your shop reads the bill afterwards.
                if (valid) System.out.println("Webhook " + new String(body, StandardCharsets.UTF_8));
            } catch (Exception error) {
                error.printStackTrace();
            }
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        });
        server.start();
    }
}
