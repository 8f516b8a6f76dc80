-- The time in which a member takes money at the counter.
CREATE TABLE "counter_shift" (
  "id" UUID NOT NULL,
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "user_id" UUID NOT NULL,
  "code" TEXT NOT NULL,
  "last_number" INTEGER NOT NULL DEFAULT 0,
  "opened_at" TIMESTAMPTZ(3) NOT NULL,
  "closed_at" TIMESTAMPTZ(3),
  CONSTRAINT "counter_shift_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "counter_shift_merchant_id_environment_fkey" FOREIGN KEY ("merchant_id", "environment") REFERENCES "merchant_profile" ("merchant_id", "environment") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "counter_shift_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "counter_shift_merchant_id_environment_code_key" ON "counter_shift" ("merchant_id", "environment", "code");
CREATE INDEX "counter_shift_merchant_id_environment_user_id_opened_at_idx" ON "counter_shift" ("merchant_id", "environment", "user_id", "opened_at");
CREATE UNIQUE INDEX "counter_shift_open" ON "counter_shift" ("merchant_id", "environment", "user_id") WHERE "closed_at" IS NULL;

-- The bills that were entered at the counter, by the id that the member's device gave them.
CREATE TABLE "counter_entry" (
  "merchant_id" UUID NOT NULL,
  "environment" "environment" NOT NULL,
  "user_id" UUID NOT NULL,
  "entry_id" UUID NOT NULL,
  "shift_id" UUID NOT NULL,
  "number" INTEGER NOT NULL,
  "bill_id" UUID NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL,
  CONSTRAINT "counter_entry_pkey" PRIMARY KEY ("merchant_id", "environment", "user_id", "entry_id"),
  CONSTRAINT "counter_entry_shift_id_fkey" FOREIGN KEY ("shift_id") REFERENCES "counter_shift" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "counter_entry_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user" ("id") ON DELETE RESTRICT ON UPDATE CASCADE,
  CONSTRAINT "counter_entry_bill_id_fkey" FOREIGN KEY ("bill_id") REFERENCES "bill" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE UNIQUE INDEX "counter_entry_bill_id_key" ON "counter_entry" ("bill_id");
CREATE INDEX "counter_entry_shift_id_number_idx" ON "counter_entry" ("shift_id", "number");
CREATE INDEX "counter_entry_merchant_id_environment_user_id_created_at_idx" ON "counter_entry" ("merchant_id", "environment", "user_id", "created_at");
