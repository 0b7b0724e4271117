CREATE TABLE "participant_messages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"participant_id" uuid NOT NULL,
	"text" text NOT NULL,
	"at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "outbox" DROP CONSTRAINT "outbox_kind";--> statement-breakpoint
ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "participant_id" uuid;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "message_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "closing_mail" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "participant_messages" ADD CONSTRAINT "participant_messages_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "participant_messages_of" ON "participant_messages" USING btree ("participant_id","at");--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_participant_id_participants_id_fk" FOREIGN KEY ("participant_id") REFERENCES "public"."participants"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "outbox_one_receipt" ON "outbox" USING btree ("participant_id") WHERE "outbox"."participant_id" is not null;--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_receipt" CHECK (("outbox"."kind" = 'receipt') = ("outbox"."participant_id" is not null));--> statement-breakpoint
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_kind" CHECK ("outbox"."kind" in ('invitation', 'receipt'));--> statement-breakpoint
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'signed_in', 'extended', 'ending', 'message', 'replaced', 'ended'));