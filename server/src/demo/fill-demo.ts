import { groupCode } from '@invigil/core/domain/one-time-code';
import type { Grant } from '@invigil/core/domain/rights';
import type { AppContext } from '../app-context.ts';
import { insideOf, type Tx } from '../db/database.ts';
import { insertAdmin, listAdmins, lockAdmins } from '../db/queries/admins.ts';
import { insertAudit } from '../db/queries/audit.ts';
import { inTransaction } from '../db/transaction.ts';
import { makeCategory } from '../features/assessments/categories.ts';
import { PaperCache } from '../features/attempts/paper-cache.ts';
import { applyImport } from '../features/people/people.ts';
import { ensureFirstAdmin } from '../features/sign-in/admins/admins.ts';
import { newAdmin } from '../features/sign-in/check-password.ts';
import { StartProblem } from '../runtime/app-error.ts';
import { unseal } from '../security/sealing.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import { newSessionToken } from '../security/secrets/tokens.ts';
import { commandOf, ownerOf } from '../sessions/command.ts';
import { calendarOf } from './calendar.ts';
import type { Stage } from './play-person.ts';
import { playQuiz } from './play-quiz.ts';
import { findWaitingCode, isDatabaseEmpty } from './queries.ts';
import { readPeople, readRows, readStory } from './story.ts';

const NOT_EMPTY =
  'The database is not empty, and --demo fills only one without categories, assessments and participants. Use another DATA_DIR or DATABASE_URL.';

/** When the demonstration begins, before its first assessment; minutes after midnight. */
const BEGINS = { daysAgo: 21, minute: 8 * 60 + 40 };

/** Facts about a filled database, for the terminal. */
export interface Demo {
  assessments: number;
  people: number;
  attempts: number;
  adminEmail: string;
  /** With a generated password, if there is one; see ensureFirstAdmin. */
  firstAdmin: { email: string; password: string } | null;
  candidate: { email: string; code: string; assessment: string };
}

/**
 * Fills an empty database with a demonstration: three weeks of an invented organization, a stored
 * story (`story/`) played through the same use cases and rules as in production, so that every score
 * follows from its paper and answers. One transaction: an interrupted fill leaves nothing behind. The data is always the
 * same and ends now; ids, codes and receipts are random.
 *
 * Throws StartProblem if the database is not empty.
 */
export async function fillDemo(ctx: AppContext): Promise<Demo> {
  return inTransaction(ctx.db, async (tx) => {
    // One of two concurrent fills waits here, and then sees the other's data.
    await lockAdmins(tx);
    if (!(await isDatabaseEmpty(tx))) throw new StartProblem(NOT_EMPTY);
    const calendar = calendarOf(ctx.clock.now(), ctx.config.timeZone);
    const begins = calendar.at(BEGINS);
    const inside = within(tx, ctx);
    const firstAdmin = await ensureFirstAdmin({
      db: inside.db,
      clock: {
        now: () => begins,
        isTrusted: () => true,
        isLate: () => false,
        machineAgrees: () => true,
      },
      config: ctx.config,
      keys: ctx.keys,
    });
    const [admin] = await listAdmins(tx);
    if (!admin) throw new Error('there is no administrator');
    const story = readStory();
    const rows = readRows();
    const command = commandOf(inside.db, { actor: ownerOf(admin.id), now: begins });
    const quizIds = new Map<string, string>();
    const stage: Stage = { ctx: inside, tx, adminId: admin.id, command, calendar, story, quizIds };
    const categories = new Map<string, string>();
    for (const category of story.categories) {
      const { id } = await command((write) => makeCategory(write, category));
      categories.set(category.name, id);
    }
    const people = readPeople();
    await command((write) => applyImport(inside, write, people));
    let attempts = 0;
    for (const quiz of story.quizzes) {
      const invited = rows.filter((row) => row.quiz === quiz.key);
      attempts += await playQuiz(stage, quiz, categories.get(quiz.category) ?? '', invited);
    }
    const [categoryId = ''] = categories.values();
    // No one knows it: as after an invitation, a password is set with a link.
    const passwordHash = await hashPassword(newSessionToken());
    for (const { role, ...colleague } of story.team) {
      const grants: Grant[] = [{ role, categoryId }];
      const row = newAdmin(ctx.keys, { ...colleague, passwordHash, grants, now: begins });
      await insertAdmin(tx, row);
    }
    const counts = { assessments: story.quizzes.length, people: people.length, attempts };
    await insertAudit(tx, calendar.now, null, 'demo.filled', null, counts);
    return {
      ...counts,
      adminEmail: admin.email,
      firstAdmin,
      candidate: await findCandidate(tx, ctx),
    };
  });
}

/** The lines that the terminal prints about a demonstration, with sign-ins that work at once. */
export function describeDemo(demo: Demo): string[] {
  const { assessments, people, attempts, candidate } = demo;
  return [
    `Demonstration: ${assessments} assessments, ${people} people, ${attempts} attempts`,
    ...(demo.firstAdmin === null
      ? [
          `Administrator: ${demo.adminEmail}, with the password from ADMIN_PASSWORD or the first start`,
        ]
      : []),
    `Candidate for ${candidate.assessment}: ${candidate.email}`,
    `one-time password: ${candidate.code}`,
  ];
}

/** The same context with every statement inside the transaction; an inner one is a savepoint. */
function within(tx: Tx, ctx: AppContext): AppContext {
  const db = insideOf(tx);
  const papers = new PaperCache(db, ctx.config.paperCacheBytes);
  return { ...ctx, db, papers, wakeMail: () => undefined };
}

/**
 * A person whose invitation is still queued, with its code for an assessment they have not begun.
 */
async function findCandidate(tx: Tx, ctx: AppContext): Promise<Demo['candidate']> {
  const waiting = await findWaitingCode(tx);
  if (!waiting?.sealedCode) throw new Error('no invitation of the demonstration is queued');
  const code = unseal(ctx.keys.sealing, waiting.sealedCode, `outbox/${waiting.id}`);
  return { email: waiting.recipient, code: groupCode(code), assessment: waiting.title };
}
