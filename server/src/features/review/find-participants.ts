import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import type { ParsedQueryOf } from '@invigil/core/contract/definition/endpoint';
import type { listParticipants, Participant } from '@invigil/core/contract/review/participants';
import type { Reach } from '@invigil/core/domain/rights';
import type { BaseContext, LiveContext } from '../../app-context.ts';
import { readPage } from '../../db/page-window.ts';
import { findMatches } from '../../db/queries/attempts/attempt-filter.ts';
import {
  countParticipants,
  findListedParticipant,
} from '../../db/queries/attempts/attempt-list.ts';
import { findCurrentParticipant } from '../../db/queries/attempts/attempts.ts';
import type { ParticipantSession, Session } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { Reply } from '../../runtime/reply.ts';
import type { Admitted } from '../../sessions/guards.ts';
import { presentOwnParticipant, presentParticipant } from '../attempts/present.ts';
import { pageParticipants } from './page-queries.ts';

type ListQuery = ParsedQueryOf<typeof listParticipants>;

/** A page of current attempts for an administrator, with the total number of matches. */
async function listForAdmin(
  ctx: LiveContext,
  query: ListQuery,
  { reach, sees }: Pick<Admitted, 'reach' | 'sees'>,
  now: Date,
): Promise<{ rows: Participant[]; total: number }> {
  const { userId, quizId, status, search, review, result, sort, limit, offset } = query;
  const asOf = query.asOf === undefined ? undefined : new Date(query.asOf);
  const matches = await findMatches(ctx.db, sees, search);
  const filter = { userId, quizId, status, search, review, result, matches, asOf, reach, sees };
  const order = query.order ?? (sort === 'startedAt' ? 'desc' : 'asc');
  const { rows, total } = await readPage(
    { limit, offset },
    () =>
      ctx.cachedCounts.count(`list ${JSON.stringify(filter)}`, () =>
        countParticipants(ctx.db, filter),
      ),
    (window) => pageParticipants(ctx.db, filter, { sort, order }, window, now),
  );
  return { rows: rows.map((row) => presentParticipant(row, now)), total };
}

/** A candidate's own attempt; empty when the filter names another person or assessment. */
async function listOwn(
  ctx: BaseContext,
  session: ParticipantSession,
  query: ListQuery,
  now: Date,
): Promise<OwnParticipant[]> {
  const namesAnother =
    (query.userId !== undefined && query.userId !== session.userId) ||
    (query.quizId !== undefined && query.quizId !== session.quizId);
  if (namesAnother) return [];
  const own = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
  return own ? [presentOwnParticipant(own, now)] : [];
}

/** One attempt: any for an administrator, only their own for a candidate. Throws NOT_FOUND. */
async function getParticipantFor(
  ctx: BaseContext,
  session: Session,
  sees: Reach,
  id: string,
  now: Date,
): Promise<Participant | OwnParticipant> {
  if (session.kind === 'participant') {
    const own = await findCurrentParticipant(ctx.db, session.userId, session.quizId);
    if (own?.id !== id) throw new AppError('NOT_FOUND');
    return presentOwnParticipant(own, now);
  }
  return getListed(ctx, sees, id, now);
}

/** A row of the list by id, even one that was replaced. Throws NOT_FOUND. */
export async function getListed(
  ctx: BaseContext,
  sees: Reach,
  id: string,
  now: Date,
): Promise<Participant> {
  const row = await findListedParticipant(ctx.db, sees, id);
  if (!row) throw new AppError('NOT_FOUND');
  return presentParticipant(row, now);
}

export function participantHandlers(ctx: LiveContext) {
  return {
    async listParticipants({ query, session, reach, sees, shows, now }) {
      if (session.kind === 'participant') {
        return await listOwn(ctx, session, query, now);
      }
      // A match, or the order of names, would reveal whose row is whose.
      const isByPerson =
        Boolean(query.search) || query.userId !== undefined || /^user/.test(query.sort);
      if (isByPerson && !shows.has('person')) throw new AppError('FORBIDDEN');
      const { rows, total } = await listForAdmin(ctx, query, { reach, sees }, now);
      return new Reply(200, rows, { 'x-total-count': String(total), 'x-as-of': now.toISOString() });
    },

    getParticipant: ({ params, session, sees, now }) =>
      getParticipantFor(ctx, session, sees, params.id, now),
  } satisfies Handlers;
}
