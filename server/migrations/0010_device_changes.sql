CREATE TABLE "still_hashes" (
	"participant_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"evidence_id" uuid NOT NULL,
	"taken_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "still_hashes_participant_id_hash_pk" PRIMARY KEY("participant_id","hash")
);
--> statement-breakpoint
ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "used_computer" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "device" jsonb;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "monitor_checks" integer;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "unjudged_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "still_hashes" ADD CONSTRAINT "still_hashes_evidence_id_evidence_id_fk" FOREIGN KEY ("evidence_id") REFERENCES "public"."evidence"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "still_hashes_same" ON "still_hashes" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "still_hashes_of_evidence" ON "still_hashes" USING btree ("evidence_id");--> statement-breakpoint
-- By hand: NOT VALID. Every row has a kind that the old check allowed; reading them all would hold up everybody.
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'device_changed', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'gap', 'replaced', 'ended')) NOT VALID;
