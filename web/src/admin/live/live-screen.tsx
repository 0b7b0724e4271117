import type { LiveAttempt } from '@invigil/core/contract/review/live';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { zoneName } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { SelectControl } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { EmptyState } from '../../ui/tables/empty-state.tsx';
import { ActionBar } from './action-bar.tsx';
import { sidesOf, useAnnouncements, useSteadyOrder } from './board/board-hooks.ts';
import type { Board } from './board/use-live-board.ts';
import { useLiveBoard } from './board/use-live-board.ts';
import { EndedList, LiveFigures, lastEndSentence } from './live-figures.tsx';
import { AttentionCard, LiveTile } from './live-tile.tsx';
import { PersonDialog } from './person-dialog.tsx';

const ALL = 'all';
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** /admin/live: all attempts in progress, most urgent first, live. */
export function LiveScreen() {
  const [tries, setTries] = useState(1);
  // After a refusal, the administrator may have signed in in another tab: open another stream.
  return <LiveView key={tries} onRetry={() => setTries(tries + 1)} />;
}

function LiveView({ onRetry }: { onRetry(): void }) {
  const { board, isUp, refused } = useLiveBoard();
  const [wanted, setWanted] = useState(ALL);
  const names = (board?.quizzes ?? []).map((quiz) => ({ value: quiz.quizId, label: quiz.title }));
  // An assessment without attempts in progress leaves the board, and the selection with it.
  const quizId = names.some(({ value }) => value === wanted) ? wanted : ALL;
  return (
    <>
      <PageHeader
        title="Live now"
        subtitle={
          board === null
            ? 'Everyone who is taking an assessment'
            : lastEndSentence(board, quizOf(quizId))
        }
      >
        <div className="flex w-full flex-wrap items-center gap-3 sm:w-auto">
          {board !== null && (
            <p className="text-sm text-ink-3 tabular-nums">
              {`Updated ${clock.format(new Date(board.at))}`}
            </p>
          )}
          <SelectControl
            aria-label="Assessment"
            className="w-full! sm:w-58!"
            options={[{ value: ALL, label: 'All Assessments' }, ...names]}
            value={quizId}
            onChange={setWanted}
          />
        </div>
      </PageHeader>
      {refused !== null ? (
        <FailureNotice title="The live view is not available" onRetry={onRetry}>
          {refused.sentence}
        </FailureNotice>
      ) : board === null ? (
        <Card>
          <SkeletonRows rows={5}>Loading the live board...</SkeletonRows>
        </Card>
      ) : (
        <BoardView board={board} isUp={isUp} quizId={quizOf(quizId)} />
      )}
    </>
  );
}

const quizOf = (value: string) => (value === ALL ? null : value);

/** The opened attempt, and its last state. */
interface Opened {
  id: string;
  last: LiveAttempt | null;
}

function BoardView({
  board,
  isUp,
  quizId,
}: {
  board: Board;
  isUp: boolean;
  quizId: string | null;
}) {
  const { attempts, endsAt, clockOffsetMs } = board;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const sides = useMemo(() => sidesOf(attempts.values(), quizId), [attempts, quizId]);
  const attention = useSteadyOrder(sides.needAttention);
  const quiet = useSteadyOrder(sides.quiet);
  const announcement = useAnnouncements(sides.needAttention);
  // Stable functions, so that unchanged tiles are not rendered again.
  const onSelect = useCallback((id: string, on: boolean) => {
    setSelected((now) => {
      const next = new Set(now);
      if (on) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const shown = [...attention.order, ...quiet.order];
  const there = shown.filter(({ id }) => selected.has(id)).map(({ id }) => id);
  const onOpen = useCallback((id: string) => setOpened({ id, last: null }), []);
  const tileOf = (attempt: LiveAttempt) => ({
    attempt,
    endsAt: endsAt.get(attempt.id) ?? 0,
    selected: selected.has(attempt.id),
    clockOffsetMs,
    onSelect,
    onOpen,
  });
  // The dialog stays open with the last state when the attempt ends: a message may be half typed.
  const present = opened === null ? undefined : attempts.get(opened.id);
  if (opened !== null && present !== undefined && present !== opened.last) {
    setOpened({ id: opened.id, last: present });
  }
  const person = present ?? opened?.last ?? null;

  return (
    <>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {!isUp && (
        <div className="mb-4">
          <Notice tone="warn" role="status" title="No connection to the server">
            This is out of date. Reconnecting…
          </Notice>
        </div>
      )}
      <LiveFigures board={board} quizId={quizId} needAttention={sides.needAttention.length} />
      {shown.length === 0 && (
        <Card className="mb-7">
          <EmptyState>No one is taking an assessment right now.</EmptyState>
        </Card>
      )}
      <ActionBar
        all={shown.map(({ id }) => id)}
        selected={there}
        onSelect={(ids) => setSelected(new Set(ids))}
      />
      <Side
        id="live-attention"
        title="Needs attention"
        note="Most urgent first"
        order={attention.order}
      >
        <ul
          {...attention.hold}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(19rem,100%),1fr))] gap-4"
        >
          {attention.order.map((attempt) => (
            <AttentionCard key={attempt.id} {...tileOf(attempt)} />
          ))}
        </ul>
      </Side>
      <Side
        id="live-writing"
        title="In progress"
        note="Questions answered, time left"
        order={quiet.order}
      >
        <ul
          {...quiet.hold}
          className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-3"
        >
          {quiet.order.map((attempt) => (
            <LiveTile key={attempt.id} {...tileOf(attempt)} />
          ))}
        </ul>
      </Side>
      <EndedList ended={board.ended} quizId={quizId} />
      <p className="mt-3 text-sm text-ink-3">Times in {zoneName()}</p>
      {person !== null && (
        <PersonDialog
          attempt={person}
          ended={present === undefined}
          endsAt={endsAt.get(person.id) ?? 0}
          clockOffsetMs={clockOffsetMs}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

/** One section of the board; not rendered when empty. */
function Side({
  id,
  title,
  note,
  order,
  children,
}: {
  id: string;
  title: string;
  note: string;
  order: readonly LiveAttempt[];
  children: ReactNode;
}) {
  if (order.length === 0) return null;
  return (
    <section aria-labelledby={id} className="mb-7">
      <div className="mb-3 flex flex-wrap items-baseline gap-x-2.5">
        <h2 id={id}>{title}</h2>
        <span className="text-sm text-ink-3">{note}</span>
      </div>
      {children}
    </section>
  );
}
