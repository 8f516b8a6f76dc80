// Program.cs of an empty ASP.NET Core project
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;

var secret = Environment.GetEnvironmentVariable("BILI_WEBHOOK_SECRET") ?? throw new Exception("BILI_WEBHOOK_SECRET is not set");
var app = WebApplication.CreateBuilder(args).Build();

app.MapPost("/bili", async (HttpRequest request) =>
{
    using var stream = new MemoryStream();
    await request.Body.CopyToAsync(stream);
    var body = stream.ToArray(); // the raw bytes
    if (!IsFromBili(secret, request.Headers, body)) return Results.StatusCode(401);
    var bill = JsonDocument.Parse(body).RootElement.GetProperty("bill");
    // Store the webhook-id and the bill's id here. Your shop reads the bill afterwards.
    Console.WriteLine($"Bill {bill.GetProperty("id")} is {bill.GetProperty("status")}");
    return Results.Ok();
});
app.Run("http://127.0.0.1:8080");

static bool IsFromBili(string secret, IHeaderDictionary headers, byte[] body)
{
    var id = headers["webhook-id"].ToString();
    var timestamp = headers["webhook-timestamp"].ToString();
    if (id == "" || !long.TryParse(timestamp, out var seconds)) return false;
    if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - seconds) > 300) return false;
    var key = Convert.FromBase64String(secret["whsec_".Length..]);
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
    var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(HMACSHA256.HashData(key, signed)));
    return headers["webhook-signature"].ToString().Split(' ')
        .Any(given => CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(given), expected));
}
