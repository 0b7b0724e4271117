ALTER TABLE "participants" ADD COLUMN "camera_enabled" boolean;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "microphone_enabled" boolean;--> statement-breakpoint
-- What an attempt began with was not kept until now; the switches of its invitation are the nearest to it.
-- Attempts that a process of the earlier version begins after this stay null, and go by their invitation.
UPDATE "participants" SET "camera_enabled" = i."camera_enabled", "microphone_enabled" = i."microphone_enabled"
FROM "invitations" i
WHERE i."id" = "participants"."invitation_id";
