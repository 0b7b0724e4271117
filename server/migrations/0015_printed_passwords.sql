ALTER TABLE "invitation_codes" ADD COLUMN "opens_results" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "invitation_codes" ADD COLUMN "session_id" uuid;