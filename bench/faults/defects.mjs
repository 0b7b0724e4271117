/*
 * Builds with injected defects. `node --import` this file with INJECTED_DEFECTS=<names>: the named
 * defects are written into the sources as they are loaded. The harness must detect each of them.
 */
import { registerHooks } from 'node:module';

/**
 * @typedef {object} Defect
 * @property {string} name
 * @property {string} caughtBy `what` of the counterexample that must be found
 * @property {string} during the fault that is played
 * @property {boolean} [leaves] needs candidates who abandon their attempt
 * @property {{ file: string, honest: string, broken: string }[]} edits
 */

/** @type {Defect[]} */
export const DEFECTS = [
  {
    name: 'acknowledges before the commit',
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
    caughtBy: "someone else's attempt was accessible",
    during: 'connections reset',
    edits: [
      {
        file: '/attempts/is-own.ts',
        honest: 'return attempt?.userId === session.userId && attempt.quizId === session.quizId;',
        broken: "return attempt !== undefined && session.userId !== '';",
      },
    ],
  },
  {
    name: 'accepts the score of the browser',
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
        honest: 'const beginning = beginNew(quiz, draw(), invitation.extraTimeFactor, 1, now);',
        broken: `const claimed = new Date(details.claimed ?? now);
          const beginning = beginNew(quiz, draw(), invitation.extraTimeFactor, 1, claimed);`,
      },
    ],
  },
  {
    name: 'sends invitations inside their transaction',
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
        honest: 'id: report.id ?? newId(),\n    counted: verdict.counted,',
        broken: 'id: newId(),\n    counted: verdict.counted,',
      },
    ],
  },
  {
    name: 'dates abandoned attempts at now instead of the deadline',
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
    caughtBy: 'another Message-ID',
    during: 'connections reset',
    edits: [
      {
        file: '/mail/smtp-transport.ts',
        honest: 'messageId: envelope.messageId,',
        broken: '',
      },
    ],
  },
  {
    name: 'sends every message twice',
    caughtBy: 'a message was repeated without cause',
    during: 'connections reset',
    edits: [
      {
        file: '/jobs/deliver-mail.ts',
        honest: 'Promise.all(claimed.map(',
        broken: 'Promise.all([...claimed, ...claimed].map(',
      },
    ],
  },
  {
    name: 'does not say when to try again',
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
  const edits = names.flatMap((name) => {
    const found = DEFECTS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no defect named ${name}`);
    return found.edits;
  });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = edits.filter(({ file }) => url.endsWith(file));
      if (own.length === 0) return loaded;
      let source = String(loaded.source);
      for (const { file, honest, broken } of own) {
        if (!source.includes(honest)) throw new Error(`${file} has changed: adapt the defect`);
        source = source.replace(honest, broken);
      }
      return { ...loaded, source };
    },
  });
}
