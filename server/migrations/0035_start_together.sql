ALTER TABLE "quizzes" ADD COLUMN "start_together" jsonb;--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "common_starts" jsonb;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "waiting_at" timestamp (3) with time zone;