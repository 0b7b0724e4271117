CREATE TABLE "trust_state" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"stage" text NOT NULL,
	"after" uuid,
	"seal" "bytea" NOT NULL,
	CONSTRAINT "trust_state_one" CHECK ("trust_state"."one"),
	CONSTRAINT "trust_state_stage" CHECK ("trust_state"."stage" in ('results', 'evidence', 'all'))
);
--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "result_seal" "bytea";--> statement-breakpoint
ALTER TABLE "pending_sign_ins" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "sign_in_policy" ADD COLUMN "seal" "bytea";