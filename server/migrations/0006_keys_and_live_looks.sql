CREATE TABLE "key_check" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"sealed_word" "bytea" NOT NULL,
	"made_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "key_check_one" CHECK ("key_check"."one")
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_looks" (
	"number" bigint PRIMARY KEY NOT NULL,
	"frame" text
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "live_turn" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"number" bigint NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "live_turn_one" CHECK ("live_turn"."one")
);
