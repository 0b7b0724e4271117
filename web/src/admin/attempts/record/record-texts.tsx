import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import type { TextFormat } from '@invigil/core/domain/questions/question-definition';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { formatClock, formatDateTime } from '../../../lib/format.ts';
import { Content } from '../../../question-view/content.tsx';

export interface ActionDialogProps {
  record: ParticipantRecord;
  onClose(): void;
}

/** The person an action concerns, as the subject of a sentence. */
export function personOf({ participant }: ParticipantRecord): string {
  return (
    participant.userEmail ??
    t(
      /* the subject of a sentence, in the place of an email address */ 'record.thisCandidate',
      'This candidate',
    )
  );
}

/** Says what minutes may be typed. */
export const minutesProblem = (): string => t('record.minutes.problem', 'Whole minutes, 1 to 180');

/** Said at a field that has more than so many characters. */
export const tooLongText = (count: number): string =>
  t(
    /* what may be typed */ 'record.tooLong',
    '{count, plural, one {At most # character} other {At most # characters}}',
    { count },
  );

/** 1 to 180 whole minutes, or `null`. */
export function minutesOf(typed: string): number | null {
  const minutes = /^\d{1,3}$/.test(typed.trim()) ? Number(typed) : 0;
  return minutes >= 1 && minutes <= 180 ? minutes : null;
}

export function secondsLeftOf({ participant, deadlineAt }: ParticipantRecord): number {
  if (participant.submittedAt === null) return 0;
  const ms = Date.parse(deadlineAt) - Date.parse(participant.submittedAt);
  return Math.max(0, Math.floor(ms / 1_000));
}

/** A time of day to the second, `10:42:18`, with the day as a tooltip. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatClock(at)}
    </time>
  );
}

/** Options or typed texts in a row; each formatted one on a line of its own. */
export function Texts({
  of: texts,
  format,
}: {
  of: readonly string[];
  format: TextFormat | undefined;
}) {
  if (format !== 'markdown') return texts.map((text) => isolated(text)).join('; ');
  return texts.map((text) => <Content key={text} text={text} format={format} inline />);
}
