/*
 * Builds with injected defects. With INJECTED_DEFECTS=<names> the named defects are written into the
 * sources as they are loaded: by `node --import` of this file, and by vitest.config.ts. `npm test` must
 * fail with each of them, and the harness must detect those that need a running server.
 */
import { registerHooks } from 'node:module';

/**
 * @typedef {object} Defect
 * @property {string} name
 * @property {string} testedBy a file of `npm test`, in its short form, that fails with it
 * @property {{ file: string, honest: string, broken: string }[]} edits
 *
 * @typedef {object} Played how the harness detects it
 * @property {string} caughtBy `what` of the counterexample that must be found
 * @property {string} during the fault that is played
 * @property {boolean} [leaves] needs candidates who abandon their attempt
 */

/** @type {(Defect & Played)[]} */
export const DEFECTS = [
  {
    name: 'acknowledges before the commit',
    testedBy: 'server/src/features/attempts/answers/save-against-end.test.ts',
    caughtBy: 'an acknowledged save is lost',
    during: 'SIGKILL of a server',
    edits: [
      {
        file: '/answers/answer-writer.ts',
        honest: 'const gate = await this.#batches.add(save);',
        broken: `
          setTimeout(() => void this.#batches.add(save).catch(() => undefined), 300);
          const deadlineAt = new Date(save.now.getTime() + 60_000);
          if (deadlineAt) return { kind: 'saved', deadlineAt, violationCount: 0, unchanged: [] };
          const gate = null;`,
      },
    ],
  },
  {
    name: 'ignores revisions',
    testedBy: 'server/src/features/attempts/answers/save-answers.test.ts',
    caughtBy: 'an acknowledged save is lost',
    during: 'connections reset',
    edits: [
      {
        file: '/answers/answer-writer.ts',
        honest: 'when answers.revision < excluded.revision then true',
        broken: 'when true then true',
      },
    ],
  },
  {
    name: 'lets a blank overwrite an answer',
    testedBy: 'server/src/features/attempts/start-and-end/submit-participant.test.ts',
    caughtBy: 'the stored answer was never sent',
    during: 'connections reset',
    edits: [
      {
        file: '/domain/attempt.ts',
        honest: "if (incoming.revision === null) return stored === null ? 'write' : 'keep';",
        broken: "if (incoming.revision === null) return 'write';",
      },
      {
        file: '/start-and-end/submit-participant.ts',
        honest: "=> verdicts[i] === 'write' && !isEmptyFirst(m));",
        broken: "=> verdicts[i] === 'write');",
      },
      {
        file: '/start-and-end/submit-participant.ts',
        honest: 'revision: m.revision ?? 1 }));',
        broken: 'revision: m.revision ?? 1_000_000 }));',
      },
    ],
  },
  {
    name: 'does not check whose attempt it is',
    testedBy: 'server/src/features/attempts/violations/forged-client.test.ts',
    caughtBy: "someone else's attempt was accessible",
    during: 'connections reset',
    edits: [
      {
        file: '/attempts/own-attempt.ts',
        honest: 'return attempt?.userId === session.userId && attempt.quizId === session.quizId;',
        broken: "return attempt !== undefined && session.userId !== '';",
      },
    ],
  },
  {
    name: 'accepts the score of the browser',
    testedBy: 'server/src/features/attempts/start-and-end/submit-participant.test.ts',
    caughtBy: 'the score does not match the stored answers',
    during: 'connections reset',
    edits: [
      {
        file: '/start-and-end/submit-participant.ts',
        honest: 'const ended = await ctx.attemptSubmits.submit(submission);',
        broken: `const ended = await ctx.attemptSubmits.submit(submission);
          const score = Number(claimed?.score ?? 0);
          await ctx.db.execute(\`update participants set score = \${score} where id = '\${participantId}'\`);`,
      },
    ],
  },
  {
    name: 'accepts start and deadline from the browser',
    testedBy: 'server/src/features/attempts/start-and-end/start-participant.test.ts',
    caughtBy: 'the deadline does not follow the rule',
    during: 'connections reset',
    edits: [
      {
        file: '/start-and-end/routes.ts',
        honest: 'saysMobile: body.mobile ?? false,',
        broken: 'saysMobile: body.mobile ?? false, claimed: body.startedAt,',
      },
      {
        file: '/start-and-end/start-participant.ts',
        honest: 'return beginNew(quiz, of.draw(), invitation, number, now);',
        broken: `const claimed = new Date(details.claimed ?? now);
          return beginNew(quiz, of.draw(), invitation, number, claimed);`,
      },
    ],
  },
  {
    name: 'sends invitations inside their transaction',
    testedBy: 'server/src/jobs/deliver-mail.test.ts',
    caughtBy: 'a message was sent for an uncommitted invitation',
    during: 'an invitation aborted before its commit',
    edits: [
      {
        file: '/invite/invite-to-quiz.ts',
        honest:
          'await sendCodes(tx, ctx, quiz, toSend, { wording, keepEarlierCodes: false }, now);',
        broken: `await sendCodes(tx, ctx, quiz, toSend, { wording, keepEarlierCodes: false }, now);
          const { deliverMail } = await import('../../../jobs/deliver-mail.ts');
          const { insideOf } = await import('../../../db/database.ts');
          await deliverMail({ ...ctx, db: insideOf(tx) });`,
      },
    ],
  },
  {
    name: 'accepts saves after the end',
    testedBy: 'server/src/features/attempts/answers/save-answers.test.ts',
    caughtBy: 'a save was accepted after the end',
    during: 'connections reset',
    edits: [
      {
        file: '/answers/answer-writer.ts',
        honest: "and p.status = 'in_progress' and p.close_at >= r.now",
        broken: '',
      },
    ],
  },
  {
    name: 'counts a repeated violation again',
    testedBy: 'server/src/features/attempts/violations/forged-client.test.ts',
    caughtBy: 'more violations than reports',
    during: 'connections reset',
    edits: [
      {
        file: '/violations/report-violation.ts',
        honest: 'report.id === undefined ? undefined : await findViolation(tx, report.id)',
        broken: "report.id === '' ? await findViolation(tx, '') : undefined",
      },
      {
        file: '/violations/report-violation.ts',
        honest: 'const { id = newId(), durationMs, engine } = report;',
        broken: 'const { durationMs, engine } = report;\n  const id = newId();',
      },
    ],
  },
  {
    name: 'dates abandoned attempts at now instead of the deadline',
    testedBy: 'server/src/jobs/close-due-participants.test.ts',
    caughtBy: 'its end is not dated at its deadline',
    during: 'connections reset',
    leaves: true,
    edits: [
      {
        file: '/domain/attempt.ts',
        honest: "submissionType: 'auto', submittedAt: due.deadlineAt",
        broken: "submissionType: 'auto', submittedAt: now",
      },
    ],
  },
  {
    name: 'never closes an attempt',
    testedBy: 'server/src/jobs/run-jobs.test.ts',
    caughtBy: 'an abandoned attempt is still open',
    during: 'connections reset',
    leaves: true,
    edits: [
      {
        file: '/jobs/run-jobs.ts',
        honest: "job('close-due-participants', CLOSE_EVERY_MS, () => close(ctx)),",
        broken: '',
      },
    ],
  },
  {
    name: 'gives every retry of a message another Message-ID',
    testedBy: 'server/src/jobs/deliver-mail.test.ts',
    caughtBy: 'another Message-ID',
    during: 'connections reset',
    edits: [
      {
        file: '/deliveries/smtp-transport.ts',
        honest: 'messageId: envelope.messageId,',
        broken: '',
      },
    ],
  },
  {
    name: 'sends every message twice',
    testedBy: 'server/src/jobs/deliver-mail.test.ts',
    caughtBy: 'a message was repeated without cause',
    during: 'connections reset',
    edits: [
      {
        file: '/jobs/deliver-mail.ts',
        honest: 'rows.map((row) => deliverOne(',
        broken: '[...rows, ...rows].map((row) => deliverOne(',
      },
    ],
  },
  {
    name: 'does not say when to try again',
    testedBy: 'server/src/features/attempts/answers/save-answers.test.ts',
    caughtBy: '"try again" does not say when',
    during: 'database connections cut during saves',
    edits: [
      {
        file: '/http/errors.ts',
        honest: "if (retryAfter !== undefined) reply.header('retry-after', retryAfter);",
        broken: '',
      },
    ],
  },
];

/** Defects that the tests alone detect. @type {Defect[]} */
const OTHER_DEFECTS = [
  {
    name: 'sends the key with the questions of a candidate',
    testedBy: 'server/src/http/attacks/rich-papers.test.ts',
    edits: [
      {
        file: '/attempts/read-paper.ts',
        honest:
          'return paper.entries.map((entry) => presentDrawn(attempt.quizId, entry, attempt));',
        broken: 'return (await listQuestions(ctx.db, attempt.quizId)).map(presentQuestion);',
      },
    ],
  },
  {
    name: 'admits every session to every endpoint',
    testedBy: 'server/src/http/attacks/access.test.ts',
    edits: [
      {
        file: '/http/endpoints.ts',
        honest: "if (!isAdmitted) throw new AppError('FORBIDDEN');",
        broken: '',
      },
    ],
  },
  {
    name: 'leaves cool-down and limits of violations to the browser',
    testedBy: 'server/src/features/attempts/violations/violations.test.ts',
    edits: [
      {
        file: '/violations/violation-counting.ts',
        honest: 'last !== null && Math.abs(at.getTime() - last.getTime()) < policy.cooldownMs;',
        broken: 'last === null && policy.cooldownMs < 0;',
      },
      {
        file: '/violations/violation-counting.ts',
        honest:
          'return { counted: true, tally, dismiss: isOverLimit(rules, tally, violation.type) };',
        broken: 'return { counted: true, tally, dismiss: false };',
      },
    ],
  },
  {
    name: 'drops a question of an import',
    testedBy: 'server/src/features/assessments/imports/round-trip.test.ts',
    edits: [
      {
        file: '/imports/store-import.ts',
        honest: 'ready.push({ ...item, definition });',
        broken: 'if (position % 100 !== 0) ready.push({ ...item, definition });',
      },
    ],
  },
  {
    name: 'loses a row of the answers in a backup',
    testedBy: 'server/src/backup/backup.test.ts',
    edits: [
      {
        file: '/backup/write-backup.ts',
        honest: "client.query(copyTo(copyOf(table, 'to stdout')))",
        broken: `client.query(copyTo(copyOf(table, 'to stdout').replace(/^copy ("answers") [(](.+)[)] to/, 'copy (select $2 from $1 offset 1) to')))`,
      },
    ],
  },
];

/** Every defect that `npm test` must detect. */
export const ALL_DEFECTS = [...DEFECTS, ...OTHER_DEFECTS];

/**
 * Several in one build, for the tests: starting a server is the slowest part. No defect of a group can
 * cause the counterexample of another; `npm run faults -- --defects` tests each alone.
 */
export const GROUPS = [
  ['acknowledges before the commit'],
  [
    'ignores revisions',
    'does not check whose attempt it is',
    'accepts the score of the browser',
    'counts a repeated violation again',
    'never closes an attempt',
    'gives every retry of a message another Message-ID',
  ],
  [
    'lets a blank overwrite an answer',
    'accepts start and deadline from the browser',
    'accepts saves after the end',
    'dates abandoned attempts at now instead of the deadline',
    'sends every message twice',
  ],
  ['sends invitations inside their transaction', 'does not say when to try again'],
];

const SEPARATOR = ';';

/**
 * Options to start a server with these defects.
 *
 * @param {string[]} names
 */
export function defectiveServer(names) {
  return {
    nodeArgs: ['--import', import.meta.filename],
    env: { INJECTED_DEFECTS: names.join(SEPARATOR) },
  };
}

if (process.env.INJECTED_DEFECTS !== undefined)
  defect(process.env.INJECTED_DEFECTS.split(SEPARATOR));

/** @param {string[]} names */
function defect(names) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const source = withDefects(names, url, () => String(loaded.source));
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}

/**
 * The source of a file with these defects; undefined when they are elsewhere. Throws where the code has
 * changed, so that a defect is never silently missing.
 *
 * @param {string[]} names
 * @param {string} path of the file
 * @param {() => string} read
 */
export function withDefects(names, path, read) {
  const edits = names.flatMap((name) => {
    const found = ALL_DEFECTS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no defect named ${name}`);
    return found.edits.filter(({ file }) => path.endsWith(file));
  });
  if (edits.length === 0) return undefined;
  return edits.reduce((source, { file, honest, broken }) => {
    if (!source.includes(honest)) throw new Error(`${file} has changed: adapt the defect`);
    return source.replace(honest, broken);
  }, read());
}
