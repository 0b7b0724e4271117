import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { parseSync } from '@swc/core';
import { describe, expect, it } from 'vitest';
import { root } from '../scripts/toolchain.mjs';

/*
 * Sentences about rules in candidates' pages, guide, notices and mails, and the test that shows the rule of each. Those of
 * the policy are played by web/src/candidate/stated-rules.test.ts instead.
 */

const ATTEMPTS = 'server/src/features/attempts';
const UNSEEN = ['web/src/proctoring/cannot-tell.test.ts', 'nothing counts with %s'] as const;
const LATE = [
  `${ATTEMPTS}/answers/save-answers.test.ts`,
  'stores late answers separately',
] as const;
const ONCE = [
  `${ATTEMPTS}/start-and-end/start-participant.test.ts`,
  'once the attempt has ended, by a submit or by the clock',
] as const;
const RETENTION = [
  'server/src/features/review/retention.test.ts',
  'is sent to candidates for their consent',
] as const;
const PLAYED = ['web/src/candidate/stated-rules.test.ts', 'has a rule for each sentence'] as const;
const NOTICES = ['core/src/texts/notices.test.ts', 'says when it counts'] as const;
const OUTCOMES = [
  'web/src/candidate/outcome/outcome-screens.component.test.tsx',
  'the expired notice says why and when',
] as const;

const PRACTICE = 'web/src/candidate/practice/practice.component.test.tsx';
const CERTIFICATES = 'server/src/features/results/certificates.test.ts';
const RIGHT_ANSWERS = [
  'server/src/features/results/releases.test.ts',
  'with right answers that wait for the end',
] as const;

const PAUSES = `${ATTEMPTS}/pauses.test.ts`;
const RETAKES = `${ATTEMPTS}/start-and-end/retakes.test.ts`;

/** Beginnings of sentences, or all of them, by the test that shows their rule. */
const STATED: [shownBy: readonly [path: string, title: string], sentences: string[]][] = [
  [
    [PAUSES, 'stops the clock to the millisecond, with its reason, until it is ended'],
    [
      'Your time is stopped',
      'When your time is stopped.',
      'While it is stopped, you see why in place of the questions, your answers are kept, and nothing is monitored or counted.',
    ],
  ],
  [
    [PAUSES, 'ends by itself at its minute for all, also while the service is down'],
    ['Your time goes on by itself in {time}.'],
  ],
  [
    [PAUSES, 'counts nothing that happens in it, reported then or later'],
    ['The questions are covered and nothing is monitored or counted until then.'],
  ],
  [
    [PAUSES, 'stop the clock and give back what was not used, as often as there are breaks'],
    [
      'During a break your time is stopped and the questions are covered.',
      'If breaks were granted to you, Take a break is beside the time, on a phone below the list of questions: your time is stopped until Continue now, or until the minutes of your breaks are used.',
    ],
  ],
  [
    [PRACTICE, 'shows at once whether an answer is right, and the score at the end'],
    [
      'Check each answer to see at once whether it is right.',
      'If there is an assessment to practice with, the email and the instructions link to it as Practice first: you see at once whether an answer is right, nothing is stored, and you can repeat it as often as you like.',
    ],
  ],
  [
    [PRACTICE, 'ends when its time is up, without points that were not earned'],
    ['Your time is up'],
  ],
  [
    [PRACTICE, 'tries the camera out on this page alone, and says what an assessment would notice'],
    [
      'Its picture stays on this device, and nothing that is noticed here counts.} microphone {With the microphone you also see what would be noticed in an assessment.',
      'Its sound stays on this device, and nothing that is noticed here counts.} other {With camera and microphone you also see what would be noticed in an assessment.',
      'Picture and sound stay on this device, and nothing that is noticed here counts.}}',
    ],
  ],
  [
    [RETAKES, 'lets someone who has ended sign in and begin again'],
    [
      '{left, plural, one {You can take this assessment once more.',
      'If the assessment can be taken several times, the last page says how many attempts you have left and from when: sign in again with the same one-time password, and the instructions say which attempt it is and which one counts.',
    ],
  ],
  [
    [RETAKES, 'makes them wait between an end and the next start'],
    ['{left, plural, one {You can take this assessment once more, from {moment}.'],
  ],
  [
    [RETAKES, '%s of %j counts, in lists, figures and reports'],
    [
      '{counts, select, best {This is attempt {number} of {most}; the best one counts.} last {This is attempt {number} of {most}; the last one counts.} other {This is attempt {number} of {most}; the first one counts.}}',
    ],
  ],
  [
    [
      'web/src/candidate/device-check/waiting-room.component.test.tsx',
      'waits for the button of an invigilator, says so to the server, and starts by itself',
    ],
    [
      'Everyone starts together, the clock starts only with the first question, and you can take the assessment only once.',
      'Stay on this page: the first question comes by itself, and your time begins with it.',
      'Where everyone starts together, the button is I am ready: stay on the page then, and the first question, and with it your time, comes by itself.',
    ],
  ],
  [
    [
      `${ATTEMPTS}/start-and-end/start-together.test.ts`,
      'lets those who are late start until the minute, and whoever gets another attempt',
    ],
    ['If the person in charge starts the assessment once more, you start too.'],
  ],
  [
    RIGHT_ANSWERS,
    [
      'It shows the answers once no one can take the assessment any more.',
      'You find them here once no one can take the assessment any more.',
      'You find them here after {time}, once no one is taking the assessment any more.',
    ],
  ],
  [
    [
      'server/src/features/results/rescore-question.test.ts',
      'leaves the question out for everyone, and running attempts when they end',
    ],
    ['This question does not count.'],
  ],
  [
    [CERTIFICATES, 'are replaced by those of a corrected result that is released'],
    [
      'Here anyone can see what it says, and whether it still counts.',
      'The result behind it is being corrected, and the certificate counts again, or is replaced or revoked, once that is done.',
      'It was issued here and no longer counts.',
    ],
  ],
  [[CERTIFICATES, 'go with the person'], ['One whose data was deleted can no longer be checked.']],
  [
    [
      'web/src/public/login/login-screen.component.test.tsx',
      'signs in by itself once the server answers',
    ],
    ['This page keeps trying, and signs you in once it can be.'],
  ],
  [
    ['web/src/public/login/login-screen.component.test.tsx', 'says how an attempt ended: %s, %s'],
    ['“{title}” is submitted'],
  ],
  [
    UNSEEN,
    [
      'You can go on: nothing that we cannot see or hear is counted',
      'Connect headphones or speakers, or go on: what we cannot hear is not counted',
      'What cannot be determined never counts against you.',
      'A detection counts only where the page says counted, and people decide what it means.',
    ],
  ],
  [
    PLAYED,
    [
      'It checks whether your face is in view (if not, that is noted and never counts), whether someone else is, where you look, and whether the picture is dark, covered or does not move.',
      'The violation policy on the instructions page says what counts and what happens then.',
      'Leaving this tab ends the assessment.',
    ],
  ],
  [
    RETENTION,
    [
      '{days, plural, one { How long : photos are deleted after # day.} other { How long : photos are deleted after # days.}}',
      '{days, plural, one { How long : sound levels are deleted after # day.} other { How long : sound levels are deleted after # days.}}',
      '{days, plural, one { How long : photos and sound levels are deleted after # day.} other { How long : photos and sound levels are deleted after # days.}}',
      'The device check is deleted then, too.',
      '{days, plural, one { How long : the device check is deleted after # day.} other { How long : the device check is deleted after # days.}}',
    ],
  ],
  [
    ONCE,
    [
      'The clock starts only when you press the button on the next page, and you can take the assessment only once.',
      'The clock starts only when you press the button on the next page.',
      'Each participant can take the test only once.',
      'You can take the assessment once.',
    ],
  ],
  [
    LATE,
    [
      'The clock keeps running: changes that arrive after the end do not count.',
      'The clock keeps running, and changes that arrive after the end do not count.',
      '{changes, plural, one {It is not counted, but the administrator can see it.} other {They are not counted, but the administrator can see them.}}',
    ],
  ],
  [
    [`${ATTEMPTS}/ask-for-help.test.ts`, 'stays up, since when it went up, until the candidate'],
    ['It never counts against you.'],
  ],
  [OUTCOMES, ['No time is running, and nothing counts against you.']],
  [
    [
      'web/src/candidate/device-check/news-check.test.ts',
      'tells events that arrive as they were sent from those that are held back',
    ],
    ['Messages to you arrive at once'],
  ],
  [
    [
      'web/src/candidate/device-check/check-screen.component.test.tsx',
      'finds what holds messages back, a wrong clock, a translator and missing storage',
    ],
    ['Clock of this device is wrong by {duration}.'],
  ],
  [
    [
      `${ATTEMPTS}/violations/violations.test.ts`,
      'that the page could not warn of are recorded and never count',
    ],
    ['Nothing is counted while warnings cannot be shown.'],
  ],
  [
    [
      'server/src/features/attempts/messages.test.ts',
      'sends an extension, a message, and the end by an administrator',
    ],
    ['It ends within {time}.'],
  ],
  [
    [
      'web/src/candidate/attempt/attempt-clock.test.ts',
      'announces 10, 5 and 1 minutes once, and nothing else',
    ],
    ['{n, plural, one {# minute left} other {# minutes left}}'],
  ],
  [
    NOTICES,
    [
      'Move back into view: it counts in {seconds} s',
      'It counts only if it goes on.',
      'It counts only if it goes on for {time}.',
    ],
  ],
  [
    [
      'web/src/candidate/monitoring/notice-board.test.ts',
      'shows no limit in the dialog if there is none',
    ],
    [
      'Nothing ends automatically.',
      '{remaining, plural, =1 {One more violation ends your assessment} other {# more violations end your assessment}}',
      'noted, not counted',
    ],
  ],
  [
    [
      'web/src/proctoring/detection/sound-debouncer.test.ts',
      'never counts silence, hiss or a slam',
    ],
    ['Only speech and very loud sounds count.'],
  ],
  [
    [
      'web/src/proctoring/detection/fullscreen-exits.test.ts',
      'excuses and records an exit with a dialog open',
    ],
    [
      '{seconds, plural, one {Press {button} within # second and it does not count.} other {Press {button} within # seconds and it does not count.}}',
    ],
  ],
  [
    ['server/src/features/attempts/ended.test.ts', 'is described to its candidate'],
    [
      "Under this assessment's rules, that ends it.",
      "Under this assessment's rules, the {nth} ends it.",
    ],
  ],
  [
    [
      `${ATTEMPTS}/start-and-end/opening.test.ts`,
      'opens at that moment, and the time counts from the start',
    ],
    [
      'Nothing has started, and the clock is not running.',
      'The clock does not start yet.',
      'The clock starts when you press the button.',
      'The clock starts only when you select Start Assessment after that check.',
      'Your time has not started.',
    ],
  ],
  [
    [
      `${ATTEMPTS}/start-and-end/start-participant.test.ts`,
      'resumes on another device with the remaining time',
    ],
    [
      'The assessment may have started, and its clock with it.',
      'The clock is running.',
      'Unless its time is over, its clock is running.',
      'The clock keeps running.',
      'The clock does not stop in between.',
      'Your answers are kept and the clock keeps running.',
      'Your assessment is under way, and its clock is running.',
    ],
  ],
  [
    [
      `${ATTEMPTS}/messages.test.ts`,
      'sends an extension, a message, and the end by an administrator',
    ],
    [
      'The clock shows the new time.',
      'What has reached the server by then is submitted as it stands.',
      'You have more time',
      'Your time is running; they can give it back.',
    ],
  ],
  [
    ['server/src/deliveries/mails/invitation.test.ts', 'promises no more extra time than'],
    ['{duration}, if you start by {moment}'],
  ],
  [
    ['server/src/features/sign-in/sign-in.test.ts', 'accepts an unused code until the end date'],
    ['The one-time password is valid until {moment}.'],
  ],
  [
    ['e2e/resume.spec.ts', 'the attempt ends when the time is over, and the answers so far count'],
    [
      'Every answer that was saved by then is submitted.',
      'Your Assessment was automatically submitted when the time limit was reached.',
    ],
  ],
  [
    [
      'e2e/offline.spec.ts',
      'a submit while offline waits on the thank-you page and ends when the server has it',
    ],
    [
      'Your answers are being submitted now',
      'Your answers are being submitted now.',
      'Your answers will be submitted as soon as you are back online.',
    ],
  ],
  [
    [
      `${ATTEMPTS}/start-and-end/submit-participant.test.ts`,
      'ends the attempt with the answers so far, and returns a summary',
    ],
    ['Your answers were saved and submitted.'],
  ],
  [
    [
      `${ATTEMPTS}/ended.test.ts`,
      'names the violation and the limit that ended it, to the candidate',
    ],
    [
      'Reason: Exceeded maximum allowed violations',
      'Reason: Exceeded maximum allowed violations · the maximum here is {limit}',
      'Your assessment was ended under its rules before you submitted it',
      'Your progress was saved and submitted as completed.',
    ],
  ],
  [
    ['e2e/resume.spec.ts', 'a reinstated attempt opens with its answers and flags'],
    ['An administrator has ended this attempt and allowed that.'],
  ],
  [
    ['core/src/domain/questions/answer-rows.test.ts', 'the points of a matching question'],
    ['A question that you leave blank never costs anything.'],
  ],
  [
    [
      'web/src/question-view/row-answers.component.test.tsx',
      'an answer counts by what is on the paper, and is to check while an item is open',
    ],
    [
      'An answer with fewer, or with an item that you matched with nothing, is saved and counted as it is; the review names it before you submit.',
      'Items to put in order count as answered once you have moved one, or selected Answer with this order.',
    ],
  ],
  [
    [
      'web/src/answer-sync/answer-sync.test.ts',
      'is "saved" only after the acknowledgement, and counts pending changes offline',
    ],
    ['Each selection is stored on your device at once and sent to the server.'],
  ],
  [
    [`${ATTEMPTS}/ended.test.ts`, 'is described to its candidate'],
    [
      'If you sign in again with the same one-time password, you see the receipt once more, why the assessment ended and what was detected.',
    ],
  ],
  // No rule, or a name.
  [
    PLAYED,
    [
      'Read this once.',
      'The count',
      'Violations allowed',
      'Copying is not allowed here.',
      'The preview ends here',
      'Your answers and your time are not affected.',
      '{minutes, plural, one {The test is loading: {percent}, about # minute more on your connection.} other {The test is loading: {percent}, about # minutes more on your connection.}}',
    ],
  ],
];

const ABOUT_RULES =
  /\b(counts?|counted|never|ends|once|deleted|clock|(?:more|full|your|no|extra) time|submitted|valid until|if you start|within|allowed|at most|minutes? (?:more|left|longer))\b/i;

/** Texts of a source file: literals and what is between tags. */
function textsOf(source: string, path: string): string[] {
  const found: string[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) {
      for (const one of node) walk(one);
      return;
    }
    const { type, value, cooked } = node as { type?: string; value?: unknown; cooked?: string };
    if (type === 'JSXText' || type === 'StringLiteral') found.push(String(value));
    if (type === 'TemplateElement') found.push(cooked ?? '');
    for (const [key, child] of Object.entries(node)) if (key !== 'span') walk(child);
  };
  walk(parseSync(source, { syntax: 'typescript', tsx: path.endsWith('x'), target: 'esnext' }).body);
  return found;
}

/** Sentences about rules in a source, without names and class lists, or in a guide. */
const sentencesOf = (source: string, path: string): string[] =>
  (path.endsWith('.md') ? source.replace(/[*`]/g, '').split('\n') : textsOf(source, path))
    .flatMap((text) =>
      text
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .split(/(?<=[.!?]) /),
    )
    .filter((sentence) => ABOUT_RULES.test(sentence) && /[a-z] [a-z]/.test(sentence));

/** Files that candidates read; the last two screens of the sign-in are for administrators. */
const FILES = [
  ...globSync('web/src/{candidate,public,question-view}/**/*.{ts,tsx}', { cwd: root }),
  ...['notices', 'detected'].map((name) => `core/src/texts/${name}.ts`),
  'docs/use/candidate.md',
  ...['invitation', 'receipt', 'result-released'].map(
    (name) => `server/src/deliveries/mails/${name}.ts`,
  ),
].filter((path) => !/\.test\.|\/(?:reset-password-screen|second-step-form)\.tsx$/.test(path));

const LISTED = STATED.flatMap(([, sentences]) => sentences);
const unlisted = (source: string, path: string) =>
  sentencesOf(source, path).filter((sentence) => !LISTED.includes(sentence));

describe('a sentence about a rule', () => {
  it.each(FILES)('names the test of its rule: %s', (path) => {
    expect(unlisted(readFileSync(join(root, path), 'utf8'), path)).toEqual([]);
  });

  it('is found where it is new', () => {
    const planted = 'const page = <p>Three coughs are never counted.</p>;';
    expect(unlisted(planted, 'page.tsx')).toEqual(['Three coughs are never counted.']);
  });

  it('is in a page, a notice or a mail', () => {
    const told = new Set(
      FILES.flatMap((path) => sentencesOf(readFileSync(join(root, path), 'utf8'), path)),
    );
    expect(LISTED.filter((sentence) => !told.has(sentence))).toEqual([]);
  });

  it.each(STATED.map(([[path, title]]) => [path, title]))('has a test: %s %s', (path, title) => {
    expect(existsSync(join(root, path)), path).toBe(true);
    expect(readFileSync(join(root, path), 'utf8')).toContain(title);
  });
});

/** Errors of what candidates call; the sentence of each says a rule, and both have one code. */
const ERRORS_OF_CANDIDATES = new Set(
  Object.values<Endpoint>(ENDPOINTS).flatMap(({ access, path, errors }) =>
    (access === 'public' ? path === '/api/auth/login' : access.includes('participant'))
      ? errors
      : [],
  ),
);

describe('an error that candidates read', () => {
  const tests = globSync('server/src/**/*.test.ts', { cwd: root })
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n');

  it.each([...ERRORS_OF_CANDIDATES])('is given where a test shows it: %s', (code) => {
    expect(tests).toContain(`'${code}'`);
  });
});
