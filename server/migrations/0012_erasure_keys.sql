CREATE TABLE "erased_leftovers" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "erased_leftovers_one" CHECK ("erased_leftovers"."one")
);
