import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Verdict } from '@invigil/core/contract/review/participants';
import { RECORD_LIMITS } from '@invigil/core/domain/limits';
import { numberText } from '@invigil/core/domain/locale';
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { formatDateTime, formatTimeSpent } from '../../../../lib/format.ts';
import { keepTypedSince } from '../../../../lib/typed-since.ts';
import { hasCode } from '../../../../net/api.ts';
import { Badge } from '../../../../ui/badges/badge.tsx';
import { Button } from '../../../../ui/button.tsx';
import { useUnsaved } from '../../../../ui/dialogs/unsaved.ts';
import { Choice, ChoiceGroup, ChoiceRing } from '../../../../ui/fields/choice-group.tsx';
import { FieldNote } from '../../../../ui/fields/field.tsx';
import { TextArea } from '../../../../ui/fields/text-area.tsx';
import { Card } from '../../../../ui/page.tsx';
import { toast } from '../../../../ui/toast.ts';
import { useMayOn } from '../../../data/assessments.ts';
import { useGiveVerdict } from '../../../data/record.ts';
import { showFailure } from '../../../data/show-failure.ts';
import {
  reviewReasonInFull,
  VERDICT_WORDS,
  VERDICTS,
  VerdictBadge,
} from '../../../parts/verdicts.tsx';
import { isReplaced } from '../record-events.ts';
import { secondsLeftOf } from '../record-texts.tsx';
import { useGoToRecord, usePlace } from './record-places.tsx';

const MOST = RECORD_LIMITS.noteMaxCharacters;
const NOTHING_TYPED: { verdict: Verdict | null; note: string | null } = {
  verdict: null,
  note: null,
};

/** The reviewer's verdict. It changes neither score nor status. */
export function RecordVerdict({ record }: { record: ParticipantRecord }) {
  const { verdict, participant } = record;
  const running = participant.status === 'in_progress';
  const aside = verdict ? (
    <VerdictBadge verdict={verdict.verdict} />
  ) : (
    participant.toReview && (
      <Badge tone="warn" glyph="ring">
        To review
      </Badge>
    )
  );
  return (
    <Card title="Verdict" aside={aside}>
      {participant.toReview && (
        <p className="px-5 pt-4 text-sm font-medium wrap-anywhere">
          {`To review: ${reviewReasonInFull(record)}`}
        </p>
      )}
      {running ? (
        <p className="px-5 py-4 text-ink-2">You can record a verdict when the attempt has ended.</p>
      ) : (
        <VerdictForm record={record} />
      )}
      <ReinstateHint record={record} />
    </Card>
  );
}

function VerdictForm({ record }: { record: ParticipantRecord }) {
  const stored = record.verdict;
  const give = useGiveVerdict(record.participant.id);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [problem, setProblem] = useState<string>();
  const verdict = typed.verdict ?? stored?.verdict ?? null;
  const note = typed.note ?? stored?.note ?? '';
  const tooLong = note.trim().length > MOST;
  const changed = verdict !== (stored?.verdict ?? null) || note.trim() !== (stored?.note ?? '');
  useUnsaved(changed);

  const place = usePlace(record.participant.id);
  const next = place?.next;
  const go = useGoToRecord();
  const goesOn = useRef(false);

  const save = (event: FormEvent) => {
    event.preventDefault();
    setProblem(verdict === null ? 'Select a verdict' : undefined);
    if (verdict === null || tooLong || !changed) return;
    give.mutate(
      {
        verdict,
        note: note.trim(),
        before: stored && { verdict: stored.verdict, note: stored.note },
      },
      {
        onSuccess: () => {
          setTyped((now) => keepTypedSince(typed, now, NOTHING_TYPED));
          toast({ title: 'Verdict saved' });
          if (goesOn.current && place !== null && next !== undefined) go(next, place.list);
        },
        onError: (error) =>
          showFailure(
            'Failed to save the verdict',
            hasCode(error, 'STALE') ? 'Someone else has recorded one. It is shown now' : error,
          ),
      },
    );
  };

  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    goesOn.current = true;
    event.currentTarget.requestSubmit();
  };

  return (
    <form noValidate className="grid gap-3 px-5 py-4" onSubmit={save} onKeyDown={onKeyDown}>
      <p className="text-ink-2">
        Base your verdict on the evidence, not on the count. The candidate does not see this.
      </p>
      <div className="grid gap-1.5">
        <ChoiceGroup
          label="Verdict"
          values={VERDICTS}
          value={verdict}
          onSelect={(value) => {
            const selected = VERDICTS.find((one) => one === value);
            // The reasons that are shown are kept: those of someone else would not be for this verdict.
            if (selected !== undefined) setTyped({ verdict: selected, note });
            setProblem(undefined);
          }}
          className="grid gap-1.5"
        >
          {VERDICTS.map((value) => (
            <VerdictChoice key={value} value={value}>
              {VERDICT_WORDS[value]}
            </VerdictChoice>
          ))}
        </ChoiceGroup>
        {problem !== undefined && (
          <div role="alert">
            <FieldNote id="verdict-problem" error={problem} />
          </div>
        )}
      </div>
      <TextArea
        label="Reasons"
        optional
        rows={3}
        error={tooLong ? `At most ${numberText(MOST)} characters` : undefined}
        value={note}
        onChange={(event) => setTyped({ ...typed, note: event.target.value })}
      />
      {stored !== null && (
        <p className="text-sm wrap-anywhere text-ink-3">
          {`Recorded by ${stored.adminEmail} on ${formatDateTime(stored.at)}. Every change is logged.`}
        </p>
      )}
      <Button
        variant="primary"
        type="submit"
        busy={give.isPending && 'Saving…'}
        aria-disabled={(stored !== null && !changed) || tooLong}
        onClick={() => {
          goesOn.current = false;
        }}
      >
        Save verdict
      </Button>
      {next !== undefined && (
        <Button
          type="submit"
          aria-disabled={give.isPending || (stored !== null && !changed) || tooLong}
          onClick={() => {
            goesOn.current = true;
          }}
        >
          Save and next
        </Button>
      )}
      {next !== undefined && (
        <p className="text-sm text-ink-3 touch:hidden">
          Ctrl+Enter saves and opens the next. Alt+P and Alt+N open the previous and the next.
        </p>
      )}
    </form>
  );
}

function VerdictChoice({ value, children }: { value: Verdict; children: ReactNode }) {
  return (
    <Choice
      value={value}
      className="group flex min-h-10 items-center gap-3 rounded-md border border-line px-3 py-2 text-start hover:bg-hover data-[state=checked]:border-accent data-[state=checked]:bg-accent-soft touch:min-h-11"
    >
      <ChoiceRing />
      <span>{children}</span>
    </Choice>
  );
}

/** A wrong dismissal can be undone if there was time left. */
function ReinstateHint({ record }: { record: ParticipantRecord }) {
  const left = secondsLeftOf(record);
  const mayReinstate = useMayOn(record.participant.quizId)('attempts.act');
  if (!mayReinstate) return null;
  if (record.participant.status !== 'dismissed' || left === 0 || isReplaced(record)) return null;
  return (
    <p className="border-t border-line px-5 py-4 text-sm text-ink-2">
      {`Dismissed with ${formatTimeSpent(left)} left. If the dismissal was wrong, use Reinstate to let the candidate continue.`}
    </p>
  );
}
