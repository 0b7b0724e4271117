import type { ParsedBodyOf } from '@invigil/core/contract/definition/endpoint';
import type {
  Hall,
  startTogether as startEndpoint,
  WaitingCounts,
} from '@invigil/core/contract/review/halls';
import { type CommonStart, commonStartOf, withStart } from '@invigil/core/domain/common-start';
import { userNameOf } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { widestWindow } from '@invigil/core/domain/schedule';
import type { BaseContext } from '../../../app-context.ts';
import { notifyAttempts } from '../../../db/queries/attempts/news.ts';
import { lockQuiz, setCommonStarts } from '../../../db/queries/quizzes.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { AppError } from '../../../runtime/app-error.ts';
import type { Write } from '../../../sessions/command.ts';
import { ASSESSMENTS, requireGenuine } from '../../../trust/row-kinds.ts';
import { changeSealed } from '../../../trust/sealed-kinds.ts';
import { hasOpened, isQuizOpen } from '../../assessments/present-quiz.ts';
import { type HallPart, listHallParts, listHallPeople } from './hall-queries.ts';

export function hallHandlers(ctx: BaseContext) {
  return {
    async listHalls({ reach, sees, now }) {
      return { at: now.toISOString(), halls: await listHalls(ctx, reach, sees, now) };
    },
    startTogether: ({ params, body, command }) =>
      command((write) => startTogether(ctx, write, params.id, body)),
  } satisfies Handlers;
}

/** People of one assessment who start at the same time: by the button whatever the opening of each is. */
interface OneHall {
  first: HallPart;
  parts: HallPart[];
}

/** The halls that are about to start, or in which someone can still come late or waits. */
async function listHalls(
  { db }: BaseContext,
  reach: Reach,
  sees: Reach,
  now: Date,
): Promise<Hall[]> {
  const byHall = new Map<string, OneHall>();
  for (const part of await listHallParts(db, reach, now)) {
    const start = commonStartOf(part, part.groups, now);
    const isOver = start?.lateUntil != null && now >= start.lateUntil;
    // By the button, someone who waits can still be started.
    if (start === null || (isOver && (start.by === 'time' || part.state !== 'waiting'))) continue;
    const opensAt = start.by === 'time' ? part.opensAt?.toISOString() : '';
    const key = `${part.quizId} ${opensAt}`;
    const hall = byHall.get(key) ?? { first: part, parts: [] };
    hall.parts.push(part);
    byHall.set(key, hall);
  }
  const halls: Hall[] = [];
  for (const { first, parts } of byHall.values()) {
    const { quizId, title, startTogether, opensAt } = first;
    const byTime = startTogether.by === 'time';
    const people = await listHallPeople(
      db,
      sees,
      { quizId, opensAt: byTime ? opensAt : undefined },
      now,
    );
    halls.push({
      quizId,
      title,
      ...startTogether,
      opensAt: latestOpening(parts, now),
      ...presentStart(commonStartOf(first, [], now)),
      counts: countsOf(parts),
      groups: groupsOf(parts, now),
      people: people.map(({ givenName, familyName, ...person }) => ({
        ...person,
        ...userNameOf({ givenName, familyName }),
      })),
    });
  }
  return halls;
}

/** When the last of them can start; null: all can by now. */
function latestOpening(parts: readonly HallPart[], now: Date): string | null {
  const times = parts.map(({ opensAt }) => opensAt?.getTime() ?? 0);
  const last = Math.max(...times);
  return last > now.getTime() ? new Date(last).toISOString() : null;
}

function presentStart(start: CommonStart | null) {
  if (!start?.startedAt || !start.lateUntil) return {};
  return { startedAt: start.startedAt.toISOString(), lateUntil: start.lateUntil.toISOString() };
}

function countsOf(parts: readonly HallPart[]): WaitingCounts {
  const counts = { absent: 0, lost: 0, entered: 0, waiting: 0 };
  for (const { state, people } of parts) counts[state] += people;
  return counts;
}

function groupsOf(parts: readonly HallPart[], now: Date): Hall['groups'] {
  const names = [...new Set(parts.flatMap(({ groups }) => groups))].sort();
  return names.map((group) => {
    const own = parts.filter(({ groups }) => groups.includes(group));
    const [first] = own;
    return {
      group,
      counts: countsOf(own),
      ...presentStart(first ? commonStartOf(first, [group], now) : null),
    };
  });
}

/**
 * Gives the start for everyone or a group: from its commit on they can start, in every process. It stays, whatever
 * becomes of the rule. Throws NOT_FOUND, NO_COMMON_START, NOT_OPEN_FOR_START, STARTED_ALREADY, CHANGED_OUTSIDE.
 */
async function startTogether(
  ctx: BaseContext,
  { tx, now, record }: Write<'quiz.started_together'>,
  quizId: string,
  { group }: ParsedBodyOf<typeof startEndpoint>,
) {
  // Two who press at once: the second finds the start of the first.
  const quiz = await lockQuiz(tx, quizId, 'update');
  if (!quiz) throw new AppError('NOT_FOUND');
  requireGenuine(ctx, ASSESSMENTS, quiz);
  if (quiz.startTogether?.by !== 'button') throw new AppError('NO_COMMON_START');
  // Before someone's opening nobody is let in by it, and those who are late would lose their minutes.
  const { opensAt } = widestWindow(quiz);
  if (!isQuizOpen(quiz, now) || !hasOpened({ opensAt }, now)) {
    throw new AppError('NOT_OPEN_FOR_START');
  }
  const groups = group === null ? [] : [group];
  const before = commonStartOf(quiz, groups, now);
  if (before?.lateUntil && now < before.lateUntil) throw new AppError('STARTED_ALREADY');
  const commonStarts = withStart(quiz.commonStarts, { group, at: now.toISOString() });
  await changeSealed(tx, ctx.keys.integrity, ASSESSMENTS, [quizId], () =>
    setCommonStarts(tx, quizId, commonStarts),
  );
  await record('quiz.started_together', ['quiz', quizId], group === null ? {} : { group });
  await notifyAttempts(tx, [quizId]);
  const { startedAt, lateUntil } = presentStart(
    commonStartOf({ ...quiz, commonStarts }, groups, now),
  );
  return { startedAt: startedAt ?? '', lateUntil: lateUntil ?? '' };
}
