-- A restored copy of the database starts in hold: nothing leaves it until a person confirms that it is the live one. At most one row.
CREATE TABLE "hold" (
    "id" BOOLEAN NOT NULL DEFAULT true,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "reason" TEXT NOT NULL,

    CONSTRAINT "hold_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "hold_one_row" CHECK ("id")
);
