curl -sS "$BILI_URL/api/v3/bills/$BILL_ID" \
  -H "Authorization: ApiKey $BILI_KEY_ID:$BILI_SECRET"
