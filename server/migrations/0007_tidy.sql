DROP INDEX "evidence_keys_kept";--> statement-breakpoint
ALTER TABLE "evidence_keys" ADD COLUMN "files_removed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "first_tried_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "evidence_keys_leftover" ON "evidence_keys" USING btree ("destroyed_at") WHERE "evidence_keys"."sealed_key" is null and "evidence_keys"."files_removed_at" is null;--> statement-breakpoint
CREATE INDEX "outbox_not_sent" ON "outbox" USING btree ("state") WHERE "outbox"."state" <> 'sent';--> statement-breakpoint
CREATE INDEX "outbox_sent" ON "outbox" USING btree ("sent_at") WHERE "outbox"."state" = 'sent';--> statement-breakpoint
CREATE INDEX "participants_device_checks" ON "participants" USING btree ("submitted_at") WHERE "participants"."device_check" is not null;--> statement-breakpoint
CREATE INDEX "evidence_keys_kept" ON "evidence_keys" USING btree ("created_at") WHERE "evidence_keys"."sealed_key" is not null;