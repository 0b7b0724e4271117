import { defineConfig } from 'drizzle-kit';

/** `npm run migration -w server -- --name what_changes` writes the next file under migrations/. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/db/schema/*.ts',
  out: './migrations',
});
