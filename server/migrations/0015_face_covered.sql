ALTER TABLE "invitations" ADD COLUMN "face_covered" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "face_covered" boolean;