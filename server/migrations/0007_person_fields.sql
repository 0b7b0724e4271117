ALTER TABLE "institution" ADD COLUMN "person_fields" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "fields" jsonb DEFAULT '{}'::jsonb NOT NULL;