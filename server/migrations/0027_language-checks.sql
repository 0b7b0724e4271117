ALTER TABLE "institution" ADD COLUMN "language_checks" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "admins" ADD COLUMN "language" text;