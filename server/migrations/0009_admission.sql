ALTER TABLE "participants" ADD COLUMN "flooded_at" timestamp (3) with time zone;--> statement-breakpoint
-- large table: sessions are deleted a day after they end, so the index is built within a second.
CREATE INDEX "sessions_ended_of_invitation" ON "sessions" USING btree ("invitation_id","ended_at") WHERE "sessions"."invitation_id" is not null and "sessions"."ended_at" is not null;