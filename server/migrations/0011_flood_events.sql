ALTER TABLE "participant_events" DROP CONSTRAINT "participant_events_kind";--> statement-breakpoint
ALTER TABLE "participants" DROP COLUMN "flooded_at";--> statement-breakpoint
-- By hand: NOT VALID. Every row has a kind that the old check allowed; reading them all would hold up everyone.
ALTER TABLE "participant_events" ADD CONSTRAINT "participant_events_kind" CHECK ("participant_events"."kind" in ('started', 'resumed', 'device_changed', 'flooded', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'gap', 'replaced', 'ended')) NOT VALID;