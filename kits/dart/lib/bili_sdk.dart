/// Client and webhook verification for Bili. For servers: the secret must never be in an app.
library;

export 'src/amount.dart' show toSenti;
export 'src/client.dart' show Bili;
export 'src/errors.dart';
export 'src/models.dart' show Attempt, Bill, BillEvent, BillPage, BulkResult, EventPage, Json, NetworkStatus, SandboxTime;
export 'src/typed.dart';
export 'src/webhook.dart' show Webhook, WebhookEvent;
