import { insertAdmin } from '../db/queries/admins.ts';
import { pageOutbox } from '../db/queries/outbox.ts';
import { openMessage } from '../features/invitations/outbox/outbox.ts';
import { newAdmin } from '../features/sign-in/passwords/genuine-admin.ts';
import { hashPassword } from '../security/secrets/passwords.ts';
import type { TestApp } from './test-app.ts';

export const ADMIN = { email: 'admin@example.org', password: 'correct horse battery' };

let adminHash: Promise<string> | undefined;

/** An administrator's session cookie, from a sign-in. */
export async function signInAdmin(app: TestApp, email = ADMIN.email): Promise<string> {
  adminHash ??= hashPassword(ADMIN.password);
  const now = app.clock.now();
  const row = newAdmin(app.context.keys, { email, passwordHash: await adminHash, now });
  await insertAdmin(app.context.db, row);
  const reply = await app.call('login', { body: { email, password: ADMIN.password } });
  if (reply.cookie === undefined) throw new Error(`admin sign-in failed: ${reply.text}`);
  return reply.cookie;
}

/** Confirms the administrator's password, for sensitive actions long after the sign-in. */
export async function confirmPassword(app: TestApp, as: string): Promise<void> {
  const body = { currentPassword: ADMIN.password };
  const reply = await app.call('confirmPassword', { as, body });
  if (reply.status !== 204) throw new Error(`the password was not confirmed: ${reply.text}`);
}

export interface QuestionInput {
  question: string;
  options: string[];
  correctAnswer: string;
}

/** `n` questions `Q1` … with options `Q1 a` … `Q1 d`; the key is always the second option. */
export function plainQuestions(n: number): QuestionInput[] {
  return Array.from({ length: n }, (_, i) => {
    const options = ['a', 'b', 'c', 'd'].map((letter) => `Q${i + 1} ${letter}`);
    return { question: `Q${i + 1}`, options, correctAnswer: options[1] ?? '' };
  });
}

export interface MadeQuiz {
  id: string;
  questions: { id: string; question: string; options: string[]; correctAnswer: string }[];
}

/** An open quiz with questions, created through the API. */
export async function makeQuiz(
  app: TestApp,
  admin: string,
  options: { questions?: QuestionInput[]; [setting: string]: unknown } = {},
): Promise<MadeQuiz> {
  const { questions = plainQuestions(5), ...settings } = options;
  const category = await app.call('createCategory', { as: admin, body: { name: 'Category' } });
  const quiz = await app.call('createQuiz', {
    as: admin,
    body: {
      title: 'Network Fundamentals',
      categoryId: category.body.id,
      duration: 30,
      totalQuestions: Math.max(5, questions.length),
      ...settings,
    },
  });
  if (quiz.status !== 201) throw new Error(`quiz was not made: ${quiz.text}`);
  if (questions.length === 0) return { id: quiz.body.id, questions: [] };
  const imported = await app.call('importQuestions', {
    as: admin,
    params: { id: quiz.body.id },
    body: { questions: questions.map((q) => ({ type: 'multiple_choice', ...q })) },
  });
  if (imported.status !== 201) throw new Error(`questions were not made: ${imported.text}`);
  return { id: quiz.body.id, questions: imported.body.questions };
}

/** Invites people and returns their one-time passwords, read from the outbox as the mail job does. */
export async function inviteForCodes(
  app: TestApp,
  admin: string,
  quizId: string,
  emails: string[],
): Promise<string[]> {
  const reply = await app.call('inviteToQuiz', {
    as: admin,
    params: { id: quizId },
    body: { emails },
  });
  if (reply.status !== 200) throw new Error(`no one was invited: ${reply.text}`);
  return newestCodes(app, emails);
}

/** The one-time passwords of people's newest waiting messages. */
export async function newestCodes(app: TestApp, emails: string[]): Promise<string[]> {
  const { rows } = await pageOutbox(app.context.db, { limit: 1_000, offset: 0 });
  const codes: string[] = [];
  for (const email of emails) {
    const row = rows.find((r) => r.recipient === email && r.sealedCode !== null);
    const message = row ? await openMessage(app.context, row) : undefined;
    const code = message?.text.match(/One-time password: (\S+)/)?.[1];
    if (code === undefined) throw new Error(`no code for ${email}`);
    codes.push(code);
  }
  return codes;
}

/** A candidate who is signed in. */
export interface Candidate {
  email: string;
  code: string;
  cookie: string;
  userId: string;
}

export async function inviteCandidate(
  app: TestApp,
  admin: string,
  quizId: string,
  email = 'a.rahman@example.org',
): Promise<Candidate> {
  const [code = ''] = await inviteForCodes(app, admin, quizId, [email]);
  return signInCandidate(app, email, code);
}

export async function signInCandidate(
  app: TestApp,
  email: string,
  code: string,
): Promise<Candidate> {
  const reply = await app.call('login', { body: { email, password: code } });
  if (reply.cookie === undefined) throw new Error(`sign-in failed: ${reply.text}`);
  return { email, code, cookie: reply.cookie, userId: reply.body.user.id };
}
