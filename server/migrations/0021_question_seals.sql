ALTER TABLE "trust_state" DROP CONSTRAINT "trust_state_stage";--> statement-breakpoint
ALTER TABLE "question_versions" ADD COLUMN "seal" "bytea";