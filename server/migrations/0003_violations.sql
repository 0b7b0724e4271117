CREATE TABLE "violations" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"received_at" timestamp (3) with time zone NOT NULL,
	"counted" boolean NOT NULL,
	"duration_ms" integer,
	"notes" text,
	"answer" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "is_phone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "violations" ADD CONSTRAINT "violations_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "violations_of" ON "violations" USING btree ("participant_id","at");--> statement-breakpoint
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'replaced', 'ended'));