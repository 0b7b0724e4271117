CREATE TABLE "institution" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"name" text,
	"time_zone" text,
	"public_url" text,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "institution_one" CHECK ("institution"."one")
);
