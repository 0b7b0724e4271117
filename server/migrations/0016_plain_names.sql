-- During an upgrade, processes of the version before still use the old names: views keep them.
ALTER TABLE "done_deeds" RENAME TO "applied_actions";--> statement-breakpoint
ALTER TABLE "applied_actions" RENAME COLUMN "deed_id" TO "action_id";--> statement-breakpoint
ALTER TABLE "applied_actions" RENAME CONSTRAINT "done_deeds_deed_id_participant_id_pk" TO "applied_actions_action_id_participant_id_pk";--> statement-breakpoint
ALTER TABLE "applied_actions" RENAME CONSTRAINT "done_deeds_participant_id_participants_id_fk" TO "applied_actions_participant_id_participants_id_fk";--> statement-breakpoint
CREATE VIEW "done_deeds" AS SELECT "action_id" AS "deed_id", "participant_id", "at" FROM "applied_actions";--> statement-breakpoint
ALTER TABLE "live_looks" RENAME TO "live_frames";--> statement-breakpoint
ALTER TABLE "live_frames" RENAME CONSTRAINT "live_looks_pkey" TO "live_frames_pkey";--> statement-breakpoint
CREATE VIEW "live_looks" AS SELECT "number", "frame" FROM "live_frames";
