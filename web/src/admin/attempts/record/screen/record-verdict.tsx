import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { Verdict } from '@invigil/core/contract/review/participants';
import { RECORD_LIMITS } from '@invigil/core/domain/limits';

import { t } from '@invigil/core/texts/i18n';
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
import { secondsLeftOf, tooLongText } from '../record-texts.tsx';
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
        {t(/* an attempt that is to be reviewed */ 'record.verdict.toReview', 'To review')}
      </Badge>
    )
  );
  return (
    <Card
      title={t(/* of a reviewer on an attempt */ 'record.verdict.title', 'Verdict')}
      aside={aside}
    >
      {participant.toReview && (
        <p className="px-5 pt-4 text-sm font-medium wrap-anywhere">
          {t(
            /* an attempt. reason: “2 violations, 1 tab switch” */ 'record.verdict.toReviewFor',
            'To review: {reason}',
            {
              reason: reviewReasonInFull(record),
            },
          )}
        </p>
      )}
      {running ? (
        <p className="px-5 py-4 text-ink-2">
          {t('record.verdict.whenEnded', 'You can record a verdict when the attempt has ended.')}
        </p>
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
    setProblem(verdict === null ? t('field.verdict', 'Select a verdict') : undefined);
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
          toast({ title: t('record.verdict.saved', 'Verdict saved') });
          if (goesOn.current && place !== null && next !== undefined) go(next, place.list);
        },
        onError: (error) =>
          showFailure(
            t('record.verdict.failed', 'Failed to save the verdict'),
            hasCode(error, 'STALE')
              ? t(
                  /* one: a verdict */ 'record.verdict.stale',
                  'Someone else has recorded one. It is shown now',
                )
              : error,
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
        {t(
          'record.verdict.about',
          'Base your verdict on the evidence, not on the count. The candidate does not see this.',
        )}
      </p>
      <div className="grid gap-1.5">
        <ChoiceGroup
          label={t(/* of a reviewer on an attempt */ 'record.verdict.title', 'Verdict')}
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
              {VERDICT_WORDS[value]()}
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
        label={t(/* for a verdict */ 'record.verdict.reasons', 'Reasons')}
        optional
        rows={3}
        error={tooLong ? tooLongText(MOST) : undefined}
        value={note}
        onChange={(event) => setTyped({ ...typed, note: event.target.value })}
      />
      {stored !== null && (
        <p className="text-sm wrap-anywhere text-ink-3">
          {t(
            /* a verdict */ 'record.verdict.recorded',
            'Recorded by {person} on {time}. Every change is logged.',
            { person: stored.adminEmail, time: formatDateTime(stored.at) },
          )}
        </p>
      )}
      <Button
        variant="primary"
        type="submit"
        busy={give.isPending && t(/* on a button while it is saved */ 'portal.saving', 'Saving…')}
        aria-disabled={(stored !== null && !changed) || tooLong}
        onClick={() => {
          goesOn.current = false;
        }}
      >
        {t('record.verdict.save', 'Save verdict')}
      </Button>
      {next !== undefined && (
        <Button
          type="submit"
          aria-disabled={give.isPending || (stored !== null && !changed) || tooLong}
          onClick={() => {
            goesOn.current = true;
          }}
        >
          {t(
            /* saves a verdict and opens the next record; a button */ 'record.verdict.saveAndNext',
            'Save and next',
          )}
        </Button>
      )}
      {next !== undefined && (
        <p className="text-sm text-ink-3 touch:hidden">
          {t(
            /* records of attempts. Ctrl, Enter, Alt, P, N: keys */ 'record.verdict.keys',
            'Ctrl+Enter saves and opens the next. Alt+P and Alt+N open the previous and the next.',
          )}
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
      {t(
        /* an attempt. time: “12m 5s”. Reinstate: a button */ 'record.reinstate.hint',
        'Dismissed with {time} left. If the dismissal was wrong, use Reinstate to let the candidate continue.',
        { time: formatTimeSpent(left) },
      )}
    </p>
  );
}
