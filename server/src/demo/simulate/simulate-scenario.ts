import { readFile } from 'node:fs/promises';
import { lockQuestions } from '../../db/queries/question-bank.ts';
import { listQuestions } from '../../db/queries/questions.ts';
import { findQuiz } from '../../db/queries/quizzes.ts';
import { importFile } from '../../features/assessments/questions/import-questions.ts';
import { openDraw } from '../../features/assessments/questions/open-draw.ts';
import { editQuiz, makeQuiz } from '../../features/assessments/quizzes/change-quiz.ts';
import { inviteToQuiz } from '../../features/invitations/invite/invite-to-quiz.ts';
import { recordAudit } from '../../sessions/record-audit.ts';
import { PEOPLE } from '../scenario/people.ts';
import { listInvitationsByEmail } from '../scenario/queries.ts';
import type { Scenario } from '../scenario/scenarios.ts';
import { markUncertain, settleDue } from './deliver-mail.ts';
import { fillBank } from './fill-bank.ts';
import { simulatePast } from './simulate-past.ts';
import { simulateToday } from './simulate-today.ts';
import type { InvitedQuiz, Simulation } from './simulation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Minutes after midnight. */
const TIMES = {
  made: 10 * 60 + 5,
  imported: 10 * 60 + 31,
  signedIn: 8 * 60 + 22,
  invited: 8 * 60 + 30,
};

/** Simulates one assessment from its creation until now. */
export async function simulateScenario(
  simulation: Simulation,
  scenario: Scenario,
): Promise<{ invited: string[]; attempts: number }> {
  const { ctx, tx, adminId, calendar } = simulation;
  const madeDaysAgo = (scenario.waves[0]?.daysAgo ?? 0) + 1;
  const settings = {
    title: scenario.title,
    description: scenario.description,
    categoryId: simulation.categories.get(scenario.category) ?? '',
    duration: scenario.duration,
    totalQuestions: scenario.totalQuestions,
    endDate: endOf(calendar.now, scenario.endsInDays),
  };
  const { id: quizId } = await makeQuiz(
    ctx,
    adminId,
    { ...settings, policy: scenario.policy },
    calendar.at(madeDaysAgo, TIMES.made),
  );
  const importedAt = calendar.at(madeDaysAgo, TIMES.imported);
  const typed = scenario.bank
    ? await fillBank(simulation, scenario.bank, quizId, settings.categoryId, importedAt)
    : new Map();
  if (!scenario.bank) {
    const file = await readFile(new URL(`../scenario/${scenario.key}.csv`, import.meta.url));
    await importFile(ctx, adminId, quizId, file, false, importedAt);
  }

  const invited: string[] = [];
  const unreachable = new Set(scenario.unreachable.map((person) => PEOPLE[person] ?? ''));
  const invite = async (from: number, to: number, at: Date) => {
    const emails = PEOPLE.slice(from, to);
    await inviteToQuiz(ctx, adminId, quizId, emails, {}, at);
    invited.push(...emails);
  };
  for (const wave of scenario.waves) {
    const signedInAt = calendar.at(wave.daysAgo, TIMES.signedIn);
    await recordAudit(tx, { adminId, action: 'admin.signed_in', at: signedInAt });
    const at = calendar.at(wave.daysAgo, TIMES.invited);
    await invite(wave.from, wave.to, at);
    await settleDue(tx, unreachable, at);
  }
  const quiz = await findQuiz(tx, quizId);
  if (!quiz) throw new Error('an assessment was created but not found');
  const draw = await openDraw(tx, quiz);
  if (!draw) throw new Error('an assessment has no questions');
  const invitedQuiz: InvitedQuiz = {
    quiz,
    questions: scenario.bank
      ? await lockQuestions(tx, [...typed.keys()])
      : await listQuestions(tx, quizId),
    typed,
    draw,
    invitations: await listInvitationsByEmail(tx, quizId),
  };
  const past = await simulatePast(simulation, scenario, invitedQuiz);
  const today = await simulateToday(simulation, scenario, invitedQuiz);
  if (scenario.justInvited) {
    const { from, to, minutesAgo } = scenario.justInvited;
    await invite(from, from + 1, calendar.minutesAgo(minutesAgo + 3));
    await markUncertain(tx, calendar.minutesAgo(minutesAgo + 3));
    await invite(from + 1, to, calendar.minutesAgo(minutesAgo));
  }
  if (scenario.closedDaysAgo !== undefined) {
    const at = calendar.at(scenario.closedDaysAgo, 17 * 60 + 50);
    await editQuiz(ctx, { adminId, passwordAt: at }, quizId, { ...settings, isActive: false }, at);
  }
  return { invited, attempts: past + today };
}

/** So many days ahead, rounded up to half an hour. */
function endOf(now: Date, inDays: number | null): string | null {
  if (inDays === null) return null;
  const end = new Date(now.getTime() + inDays * DAY_MS);
  return new Date(Math.ceil(end.getTime() / (30 * MINUTE_MS)) * 30 * MINUTE_MS).toISOString();
}
