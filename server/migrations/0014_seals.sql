ALTER TABLE "quiz_policies" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "quizzes" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "result_releases" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "institution" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "retention" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "seal" "bytea";--> statement-breakpoint
ALTER TABLE "smtp_settings" ADD COLUMN "seal" "bytea";