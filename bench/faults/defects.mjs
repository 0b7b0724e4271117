/*
 * Deliberately broken builds. `node --import` this file with PLANTED_FAULTS=<names>: the named faults are
 * written into the sources as they are loaded. Each must be caught; a harness that finds nothing in
 * them would find nothing anywhere.
 */
import { registerHooks } from 'node:module';

/**
 * @typedef {object} Defect
 * @property {string} name
 * @property {string} caughtBy the words of a counterexample that must be found
 * @property {string} during the fault that is played in the meantime
 * @property {boolean} [leaves] needs candidates who leave
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
    name: 'does not look at revisions',
    caughtBy: 'an acknowledged save is lost',
    during: 'lines reset',
    edits: [
      {
        file: '/answers/answer-writer.ts',
        honest: 'when answers.revision < excluded.revision then true',
        broken: 'when true then true',
      },
    ],
  },
  {
    name: 'lets a blank of the browser overwrite an answer',
    caughtBy: 'no one sent what is stored',
    during: 'lines reset',
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
    name: 'does not look whose attempt it is',
    caughtBy: "someone else's attempt was answered",
    during: 'lines reset',
    edits: [
      {
        file: '/attempts/is-own.ts',
        honest: 'return attempt?.userId === session.userId && attempt.quizId === session.quizId;',
        broken: "return attempt !== undefined && session.userId !== '';",
      },
    ],
  },
  {
    name: 'believes the score of the browser',
    caughtBy: 'the score is not that of the stored answers',
    during: 'lines reset',
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
    name: 'takes the begin, and so the deadline, from the browser',
    caughtBy: 'the deadline is not that of the rule',
    during: 'lines reset',
    edits: [
      {
        file: '/start-and-end/routes.ts',
        honest: 'saysMobile: body.mobile ?? false,',
        broken: 'saysMobile: body.mobile ?? false, claimed: body.startedAt,',
      },
      {
        file: '/start-and-end/start-participant.ts',
        honest: 'const beginning = beginNew(quiz, questions, invitation.extraTimeFactor, 1, now);',
        broken: `const claimed = new Date(details.claimed ?? now);
          const beginning = beginNew(quiz, questions, invitation.extraTimeFactor, 1, claimed);`,
      },
    ],
  },
  {
    name: 'sends invitations inside their transaction',
    caughtBy: 'a message left for an invitation that was never committed',
    during: 'an invitation cut off before its commit',
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
    name: 'takes saves after the end',
    caughtBy: 'a save was accepted after the end',
    during: 'lines reset',
    edits: [
      {
        file: '/answers/answer-writer.ts',
        honest: "and p.status = 'in_progress' and p.close_at >= r.now",
        broken: '',
      },
    ],
  },
  {
    name: 'counts a violation again that was sent again',
    caughtBy: 'more violations than reports',
    during: 'lines reset',
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
    name: 'ends left attempts as of now and not of their deadline',
    caughtBy: 'it was not ended as of its deadline',
    during: 'lines reset',
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
    name: 'closes nothing by itself',
    caughtBy: 'an attempt that was left is still open',
    during: 'lines reset',
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
    name: 'gives every try of a message another Message-ID',
    caughtBy: 'another Message-ID',
    during: 'lines reset',
    edits: [
      {
        file: '/mail/smtp-transport.ts',
        honest: 'messageId: envelope.messageId,',
        broken: '',
      },
    ],
  },
  {
    name: 'hands every message over twice',
    caughtBy: 'a message came again without cause',
    during: 'lines reset',
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
    during: 'connections of the database cut under saves',
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
 * Several in one build, for the tests: starting a server costs more than all that is then asked of it.
 * No fault of a group can bring about the counterexample of another; `npm run faults -- --defects` plays each
 * of them alone.
 */
export const GROUPS = [
  ['acknowledges before the commit'],
  [
    'does not look at revisions',
    'does not look whose attempt it is',
    'believes the score of the browser',
    'counts a violation again that was sent again',
    'closes nothing by itself',
    'gives every try of a message another Message-ID',
  ],
  [
    'lets a blank of the browser overwrite an answer',
    'takes the begin, and so the deadline, from the browser',
    'takes saves after the end',
    'ends left attempts as of now and not of their deadline',
    'hands every message over twice',
  ],
  ['sends invitations inside their transaction', 'does not say when to try again'],
];

const SEPARATOR = ';';

/**
 * What a server is started with so that it has these faults.
 *
 * @param {string[]} names
 */
export function defectiveServer(names) {
  return {
    nodeArgs: ['--import', import.meta.filename],
    env: { PLANTED_FAULTS: names.join(SEPARATOR) },
  };
}

if (process.env.PLANTED_FAULTS !== undefined) defect(process.env.PLANTED_FAULTS.split(SEPARATOR));

/** @param {string[]} names */
function defect(names) {
  const edits = names.flatMap((name) => {
    const found = DEFECTS.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no defect is called ${name}`);
    return found.edits;
  });
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const own = edits.filter(({ file }) => url.endsWith(file));
      if (own.length === 0) return loaded;
      let source = String(loaded.source);
      for (const { file, honest, broken } of own) {
        if (!source.includes(honest))
          throw new Error(`${file} has changed: inject the defect again`);
        source = source.replace(honest, broken);
      }
      return { ...loaded, source };
    },
  });
}
