CREATE TABLE "audit_head" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"number" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"seal" "bytea" NOT NULL,
	CONSTRAINT "audit_head_one" CHECK ("audit_head"."one")
);
--> statement-breakpoint
CREATE TABLE "retention" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"days" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "retention_one" CHECK ("retention"."one"),
	CONSTRAINT "retention_days" CHECK ("retention"."days" between 1 and 3650)
);
--> statement-breakpoint
ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
DROP INDEX "audit_entries_newest";--> statement-breakpoint
DROP INDEX "participants_scores";--> statement-breakpoint
DROP INDEX "participants_submitted";--> statement-breakpoint
DROP INDEX "users_email_key";--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "number" bigint;--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "hash" "bytea";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "replaced_how" text;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "note" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "sealed_key" "bytea";--> statement-breakpoint
CREATE INDEX "audit_entries_subject" ON "audit_entries" USING btree ("subject_id","at");--> statement-breakpoint
CREATE UNIQUE INDEX "audit_entries_number" ON "audit_entries" USING btree ("number");--> statement-breakpoint
CREATE INDEX "audit_entries_unsealed" ON "audit_entries" USING btree ("at","id") WHERE "audit_entries"."number" is null;--> statement-breakpoint
CREATE INDEX "participants_statuses" ON "participants" USING btree ("status","id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_violations" ON "participants" USING btree (greatest("counted_violations", "violation_calls"),"id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_of_user" ON "participants" USING btree ("user_id","id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_results" ON "participants" USING btree ("quiz_id","submitted_at","total_marks","score") WHERE "participants"."replaced_at" is null and "participants"."status" = 'completed';--> statement-breakpoint
CREATE INDEX "audit_entries_newest" ON "audit_entries" USING btree ("at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "participants_scores" ON "participants" USING btree ("score" NULLS FIRST,"id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "participants_submitted" ON "participants" USING btree ("submitted_at" NULLS FIRST,"id") WHERE "participants"."replaced_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree (lower("email") nulls first);--> statement-breakpoint
ALTER TABLE "audit_entries" ADD CONSTRAINT "audit_entries_sealed_whole" CHECK (("audit_entries"."number" is null) = ("audit_entries"."hash" is null));--> statement-breakpoint
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'signed_in', 'extended', 'ending', 'replaced', 'ended'));--> statement-breakpoint
ALTER TABLE "participants" ADD CONSTRAINT "participants_replaced_how" CHECK (("participants"."replaced_at" is null) = ("participants"."replaced_how" is null)
        and "participants"."replaced_how" in ('another', 'reinstate'));