-- Run once by the PostgreSQL image when the volume is empty: creates Invigil's role and database. Not a
-- superuser, so that no statement of the app can run programs, read files or reach another database.
\getenv password POSTGRES_PASSWORD
create role invigil login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'password';
create database invigil owner invigil;
revoke all on database invigil, postgres, template1 from public;
-- The superuser is reached through the container alone: docker compose exec database psql -U postgres
alter role postgres password null;
