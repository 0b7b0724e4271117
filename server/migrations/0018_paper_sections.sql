ALTER TABLE "question_versions" DROP CONSTRAINT "question_versions_key";--> statement-breakpoint
ALTER TABLE "participants" ADD COLUMN "sections" jsonb;--> statement-breakpoint
ALTER TABLE "question_versions" ADD CONSTRAINT "question_versions_key" CHECK ("question_versions"."correct_option_id" is null or "question_versions"."correct_option_id" = any ("question_versions"."option_ids")) NOT VALID;
