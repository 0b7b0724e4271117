ALTER TABLE "quizzes" ADD COLUMN "languages" text[];--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "language" text;--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "consent_language" text;--> statement-breakpoint
ALTER TABLE "institution" ADD COLUMN "languages" text[] DEFAULT '{en}' NOT NULL;