curl -sS "$BILI_URL/api/v3/bills/create" \
  -H "Authorization: ApiKey $BILI_KEY_ID:$BILI_SECRET" \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: ORDER-1' \
  -d '{"amount": 5000, "reference": "ORDER-1", "mobile": "0712345001"}'
