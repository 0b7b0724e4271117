import { readFile } from 'node:fs/promises';
import { recordAudit } from '../../db/queries/audit.ts';
import { listQuestions } from '../../db/queries/questions.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import { importFile } from '../../features/assessments/questions/import-questions.ts';
import { editQuiz, makeQuiz } from '../../features/assessments/quizzes/change-quiz.ts';
import { inviteToQuiz } from '../../features/invitations/invite/invite-to-quiz.ts';
import { PEOPLE } from '../story/people.ts';
import { listInvitationsByEmail } from '../story/queries.ts';
import type { Scene } from '../story/scenes.ts';
import { deliverMost, leaveInDoubt } from './deliver-mail.ts';
import { playPast } from './play-past.ts';
import { playToday } from './play-today.ts';
import type { Company, Stage } from './stage.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Minutes after midnight. */
const TIMES = {
  made: 10 * 60 + 5,
  imported: 10 * 60 + 31,
  signedIn: 8 * 60 + 22,
  invited: 8 * 60 + 30,
};

/** Tells one assessment from its making to this moment. */
export async function playScene(
  stage: Stage,
  scene: Scene,
): Promise<{ invited: string[]; attempts: number }> {
  const { ctx, tx, adminId, calendar } = stage;
  const madeDaysAgo = (scene.waves[0]?.daysAgo ?? 0) + 1;
  const settings = {
    title: scene.title,
    description: scene.description,
    categoryId: stage.categories.get(scene.category) ?? '',
    duration: scene.duration,
    totalQuestions: scene.totalQuestions,
    endDate: endOf(calendar.now, scene.endsInDays),
  };
  const { id: quizId } = await makeQuiz(
    ctx,
    adminId,
    { ...settings, policy: scene.policy },
    calendar.at(madeDaysAgo, TIMES.made),
  );
  const file = await readFile(new URL(`../story/${scene.key}.csv`, import.meta.url));
  await importFile(ctx, adminId, quizId, file, false, calendar.at(madeDaysAgo, TIMES.imported));

  const invited: string[] = [];
  const unreachable = new Set(scene.unreachable.map((person) => PEOPLE[person] ?? ''));
  const invite = async (from: number, to: number, at: Date) => {
    const emails = PEOPLE.slice(from, to);
    await inviteToQuiz(ctx, adminId, quizId, emails, {}, at);
    invited.push(...emails);
  };
  for (const wave of scene.waves) {
    const signedInAt = calendar.at(wave.daysAgo, TIMES.signedIn);
    await recordAudit(tx, { adminId, action: 'admin.signed_in', at: signedInAt });
    const at = calendar.at(wave.daysAgo, TIMES.invited);
    await invite(wave.from, wave.to, at);
    await deliverMost(tx, unreachable, at);
  }
  const quiz = await findQuiz(tx, quizId);
  if (!quiz) throw new Error('an assessment was made and is not there');
  const company: Company = {
    quiz,
    questions: await listQuestions(tx, quizId),
    invitations: await listInvitationsByEmail(tx, quizId),
  };
  const past = await playPast(stage, scene, company);
  const today = await playToday(stage, scene, company);
  if (scene.justInvited) {
    const { from, to, minutesAgo } = scene.justInvited;
    await invite(from, from + 1, calendar.minutesAgo(minutesAgo + 3));
    await leaveInDoubt(tx, calendar.minutesAgo(minutesAgo + 3));
    await invite(from + 1, to, calendar.minutesAgo(minutesAgo));
  }
  if (scene.closedDaysAgo !== undefined) {
    const at = calendar.at(scene.closedDaysAgo, 17 * 60 + 50);
    await editQuiz(ctx, { adminId, passwordAt: at }, quizId, { ...settings, isActive: false }, at);
  }
  return { invited, attempts: past + today };
}

/** In the evening of a day, to the minute. */
function endOf(now: Date, inDays: number | null): string | null {
  if (inDays === null) return null;
  const end = new Date(now.getTime() + inDays * DAY_MS);
  return new Date(Math.ceil(end.getTime() / (30 * MINUTE_MS)) * 30 * MINUTE_MS).toISOString();
}
