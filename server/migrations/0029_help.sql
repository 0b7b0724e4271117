ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "help_at" timestamp (3) with time zone;