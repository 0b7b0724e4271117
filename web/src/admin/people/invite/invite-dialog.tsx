import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  checkInviting,
  type InvitationResult,
} from '@invigil/core/contract/invitations/invitations';
import { emailKey } from '@invigil/core/domain/email-address';
import { atMostCharactersText, CODE_LIMITS } from '@invigil/core/domain/limits';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { Eye, KeyRound, Send } from 'lucide-react';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { formatDateTime, zoneName } from '../../../lib/format.ts';
import { ApiError, answerWasLost, sentenceOf } from '../../../net/api.ts';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogClose } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { useInvite, useMailServer, useMayOnQuiz } from '../../data/assessments.ts';
import {
  isTooLong,
  MESSAGE_MOST,
  SUBJECT_MOST,
  type Wording,
} from '../../data/invitation-wording.ts';
import { queuedSentence, useInvitePreview } from '../../data/invitations.ts';
import { showFailure } from '../../data/show-failure.ts';
import { AddPeople } from './add-people.tsx';
import { AddressCorrections } from './address-corrections.tsx';
import { correctionsOf } from './correct-addresses.ts';
import { InviteAddresses, validateInviteLines, withLines } from './invite-addresses.tsx';
import { InviteCheck } from './invite-check.tsx';
import { InviteLeftovers, InviteProgress } from './invite-progress.tsx';
import { InviteResults } from './invite-results.tsx';
import { KnownBefore } from './known-before.tsx';
import { ListedPeople, useListedPeople } from './listed-people.tsx';
import { PasswordsDialog } from './passwords-dialog.tsx';
import { isLong, type SentBatches, useInBatches } from './use-in-batches.ts';

const cannotSend = (): string => t('invite.cannotSend', 'Cannot send invitations');
const noAddresses = (): string => t('invite.noAddresses', 'No emails provided');
/** The server's refusal has the same text. */
const TITLES: Partial<Record<string, () => string>> = {
  QUIZ_NOT_OPEN: cannotSend,
  NO_EMAILS: noAddresses,
};

interface InviteDialogProps {
  quiz: Quiz;
  /** Addresses that are in the box from the start. */
  emails?: readonly string[] | undefined;
  onClose(): void;
}

/** Sends the invitations, and keeps what became of them. */
function useSending(
  quiz: Quiz,
  {
    addresses,
    listed,
    wording,
    byHand,
    onLeft,
  }: {
    addresses: readonly string[];
    listed: ReturnType<typeof useListedPeople>;
    wording: Wording;
    byHand: boolean;
    /** Receives the addresses to correct and to send again. */
    onLeft(addresses: string[]): void;
  },
) {
  const invite = useInvite(quiz.id);
  const mailServer = useMailServer();
  const { progress, send, cancel } = useInBatches();
  const [results, setResults] = useState<InvitationResult[] | null>(null);
  const [left, setLeft] = useState({ unanswered: 0, unsent: 0 });
  const sendAll = async () => {
    listed.remember();
    const sent = await send(addresses, async (batch) => {
      const known = batch.flatMap((email) => listed.knownOf(email) ?? []);
      const sent = await invite.mutateAsync({
        emails: batch.filter((email) => !listed.knownOf(email)),
        ...(known.length === 0 ? {} : { people: known }),
        ...wording,
        ...(byHand ? { sendMail: false } : {}),
      });
      return sent.invitations;
    });
    setLeft({ unanswered: sent.unanswered.length, unsent: sent.unsent.length });
    tellSent(sent, byHand ? handOutText() : queuedSentence(sent.results, mailServer));
    // Nothing is known to have been sent: keep the input.
    if (sent.error !== null && sent.results.length === 0) return;
    if (sent.results.length > 0) {
      // Corrected addresses follow in a second call.
      const again = new Set(sent.results.map(({ email }) => email));
      setResults((before) => [
        ...(before ?? []).filter(({ email, status }) => status !== 'invalid' && !again.has(email)),
        ...sent.results,
      ]);
    }
    // Keep invalid addresses and those that may not have been sent, to correct and resend them.
    const refused = sent.results.filter(({ status }) => status === 'invalid');
    onLeft([...refused.map(({ email }) => email), ...sent.unanswered, ...sent.unsent]);
  };
  return { progress, cancel, results, left, sendAll, goBack: () => setResults(null) };
}

export function InviteDialog({ quiz, emails = [], onClose }: InviteDialogProps) {
  const formId = useId();
  const mailServer = useMailServer();
  const mayPrint = useMayOnQuiz(quiz)('passwords.print');
  const [text, setText] = useState(() => emails.join('\n'));
  const checks = useQuery(endpointQuery(checkInviting, { params: { id: quiz.id } }));
  const listed = useListedPeople(checks.data?.timeZone);
  const [typed, setTyped] = useState(NO_WORDING);
  const [byHand, setByHand] = useState(false);
  const [handOut, setHandOut] = useState<string[] | null>(null);
  const lines = useMemo(() => validateInviteLines(text), [text]);
  const corrections = useMemo(() => correctionsOf(lines.addresses), [lines]);
  const correct = (to: ReadonlyMap<string, string>) => {
    setText(lines.addresses.map((entry) => to.get(entry) ?? entry).join('\n'));
    listed.correct(to);
  };
  const leaveOut = (emails: ReadonlySet<string>) =>
    setText(lines.addresses.filter((entry) => !emails.has(emailKey(entry))).join('\n'));
  const wording = wordingOf(typed);
  const { progress, cancel, results, left, sendAll, goBack } = useSending(quiz, {
    ...{ addresses: lines.addresses, listed, wording, byHand },
    onLeft: (addresses) => setText(addresses.join('\n')),
  });
  const toRepeat = left.unanswered + left.unsent;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (lines.addresses.length === 0) {
      refuse(
        noAddresses(),
        t('invite.noAddresses.hint', 'Please enter at least one email address'),
      );
    } else if (!quiz.isOpen) {
      refuse(
        cannotSend(),
        t('invite.notOpen', 'Invitations cannot be sent for inactive Assessments'),
      );
    } else if (listed.hasTimes && listed.timeZone === undefined) {
      refuse(
        cannotSend(),
        t('invite.noZone', 'The time zone of the times in the list is not loaded yet. Try again.'),
      );
    } else if (listed.wrongRows > 0) {
      refuse(cannotSend(), toCorrectSentence(listed.wrongRows));
    } else if (progress === null && !isTooLong(wording)) {
      await sendAll();
    }
  };

  const isSent = results !== null && progress === null;
  const long = isLong(progress);
  const toHandOut = (results ?? []).flatMap(({ id, status }) =>
    status === 'invited' && id !== undefined ? [id] : [],
  );
  if (handOut !== null) return <PasswordsDialog quiz={quiz} ids={handOut} onClose={onClose} />;
  // The results show what was corrected in them.
  const corrected = isSent && toRepeat === 0 ? lines.valid : 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('invite.title', 'Send Assessment Invitations')}
      description={`${isolated(quiz.title)}. ${passwordsText(quiz, byHand)}`}
      page={isSent ? 'results' : long ? 'progress' : 'form'}
      unsaved={
        isSent ? toRepeat + corrected > 0 : `${text}${typed.subject}${typed.message}`.trim() !== ''
      }
      footer={
        isSent ? (
          <ResultsFooter
            left={left}
            corrected={corrected}
            toHandOut={toHandOut}
            onBack={goBack}
            onSend={() => void sendAll()}
            onHandOut={() => setHandOut(toHandOut)}
          />
        ) : long ? (
          <Button
            busy={progress.cancelling && t('invite.canceling', 'Canceling…')}
            onClick={cancel}
          >
            {t(/* a button */ 'invite.cancel', 'Cancel sending')}
          </Button>
        ) : (
          <FormFooter
            formId={formId}
            icon={<Send />}
            busy={progress !== null && t('portal.sending', 'Sending…')}
          >
            {byHand
              ? t(/* a button */ 'invite.withoutEmail', 'Invite without email')
              : t(/* a button */ 'invite.send', 'Send Invitations')}
          </FormFooter>
        )
      }
    >
      {isSent ? (
        <div className="grid gap-4">
          <InviteLeftovers done={results.length} {...left} />
          {toRepeat === 0 && <AddressCorrections corrections={corrections} onCorrect={correct} />}
          <InviteResults quiz={quiz} results={results} mailServer={mailServer} />
        </div>
      ) : long ? (
        <InviteProgress {...progress}>
          {t(
            'invite.cancel.hint',
            'If you cancel, invitations already sent stay valid and the other addresses stay in the box.',
          )}
        </InviteProgress>
      ) : (
        <form
          id={formId}
          noValidate
          onSubmit={(event) => void submit(event)}
          className="grid gap-4"
        >
          {left.unanswered > 0 && <InviteLeftovers done={0} {...left} />}
          <InviteCheck quiz={quiz} />
          <InviteAddresses
            text={text}
            lines={lines}
            fields={listed.fields}
            onText={setText}
            onSheet={listed.add}
          />
          <AddPeople addresses={lines.addresses} onText={setText} />
          <ListedPeople
            listed={listed}
            onAddresses={(gone, added) => {
              const isIn = new Set(lines.addresses.map(emailKey));
              const more = added.filter((entry) => !isIn.has(emailKey(entry)));
              const isKept = (line: string) => !gone.has(emailKey(line.trim()));
              setText((now) => withLines(now.split('\n').filter(isKept).join('\n'), ...more));
            }}
          />
          <AddressCorrections corrections={corrections} onCorrect={correct} />
          <KnownBefore
            quiz={quiz}
            addresses={lines.addresses}
            knownOf={listed.knownOf}
            byMail={!byHand}
            onLeaveOut={leaveOut}
          />
          {mayPrint && <HandOut checked={byHand} onChange={setByHand} />}
          {!byHand && <InviteWording quizId={quiz.id} typed={typed} onTyped={setTyped} />}
        </form>
      )}
    </Dialog>
  );
}

function HandOut({ checked, onChange }: { checked: boolean; onChange(byHand: boolean): void }) {
  return (
    <Checkbox
      label={t(
        /* said by the administrator */ 'invite.byHand',
        'Send no email, I hand the one-time passwords out',
      )}
      hint={t(
        /* them: one-time passwords */ 'invite.byHand.hint',
        'After this you can print them or download a list.',
      )}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

const handOutText = (): string =>
  t('invite.byHand.done', 'No email is sent. Hand out the one-time passwords.');

/** How each candidate gets a one-time password, and until when it is valid. */
function passwordsText({ endDate }: Quiz, byHand: boolean): string {
  const days = CODE_LIMITS.oneTimeCodeValidDays;
  if (endDate === null) {
    return byHand
      ? t(
          'invite.passwords.byHandDays',
          '{days, plural, one {Each candidate gets a one-time password, valid for # day.} other {Each candidate gets a one-time password, valid for # days.}}',
          { days },
        )
      : t(
          'invite.passwords.byMailDays',
          '{days, plural, one {Each candidate gets a one-time password by email, valid for # day.} other {Each candidate gets a one-time password by email, valid for # days.}}',
          { days },
        );
  }
  const [end, zone] = [formatDateTime(endDate), zoneName()];
  return byHand
    ? t(
        /* {zone}: a time zone */ 'invite.passwords.byHandUntil',
        'Each candidate gets a one-time password, valid until {end} ({zone}).',
        { end, zone },
      )
    : t(
        /* {zone}: a time zone */ 'invite.passwords.byMailUntil',
        'Each candidate gets a one-time password by email, valid until {end} ({zone}).',
        { end, zone },
      );
}

const refuse = (title: string, description: string) =>
  toast({ title, description, variant: 'destructive' });

const toCorrectSentence = (rows: number) =>
  t(
    /* rows of a list */ 'invite.wrongRows',
    '{count, plural, one {# row has something to correct. Correct it or leave it out.} other {# rows have something to correct. Correct them or leave them out.}}',
    { count: rows },
  );

/** @param saved what is said where all of it was */
function tellSent(sent: SentBatches<InvitationResult>, saved: string): void {
  if (answerWasLost(sent.error)) {
    refuse(
      t('invite.failed', 'Failed to send invitations'),
      t(
        'invite.unanswered',
        '{count, plural, one {The server did not respond for # address. The invitations may have been sent. Check the list of invitations before you send them again.} other {The server did not respond for # addresses. The invitations may have been sent. Check the list of invitations before you send them again.}}',
        { count: sent.unanswered.length },
      ),
    );
  } else if (sent.error !== null) {
    const title = sent.error instanceof ApiError ? TITLES[sent.error.code]?.() : undefined;
    refuse(title ?? t('invite.failed', 'Failed to send invitations'), sentenceOf(sent.error));
  } else if (sent.unsent.length > 0) {
    toast({
      title: t('invite.canceled', 'Sending canceled'),
      description: t(
        'invite.sentTo',
        '{count, plural, one {Sent to # address.} other {Sent to # addresses.}}',
        { count: sent.results.length },
      ),
    });
  } else {
    toast({
      title: t('invite.saved', 'Invitations saved'),
      description: saved,
    });
  }
}

function ResultsFooter({
  left,
  corrected,
  toHandOut,
  onBack,
  onSend,
  onHandOut,
}: {
  left: { unanswered: number; unsent: number };
  corrected: number;
  toHandOut: readonly string[];
  onBack(): void;
  onSend(): void;
  onHandOut(): void;
}) {
  const toRepeat = left.unanswered + left.unsent;
  return (
    <>
      <Button onClick={onBack}>
        {toRepeat === 0
          ? t(/* a button: invites more people */ 'invite.more', 'Invite more')
          : left.unanswered > 0
            ? t(
                /* a button */ 'invite.reviewRemaining',
                '{count, plural, one {Review the remaining # address} other {Review the remaining # addresses}}',
                { count: toRepeat },
              )
            : t(
                /* a button */ 'invite.reviewUnsent',
                '{count, plural, one {Review # address not sent} other {Review # addresses not sent}}',
                { count: left.unsent },
              )}
      </Button>
      <DialogClose>
        <Button variant={corrected + toHandOut.length > 0 ? 'secondary' : 'primary'}>
          {t(/* a button: closes */ 'invite.done', 'Done')}
        </Button>
      </DialogClose>
      {toHandOut.length > 0 && corrected === 0 && (
        <Button variant="primary" icon={<KeyRound />} onClick={onHandOut}>
          {t('invite.passwords', 'One-time passwords')}
        </Button>
      )}
      {corrected > 0 && (
        <Button variant="primary" icon={<Send />} onClick={onSend}>
          {t(
            /* a button */ 'invite.corrected',
            '{count, plural, one {Invite # address} other {Invite # addresses}}',
            { count: corrected },
          )}
        </Button>
      )}
    </>
  );
}

/** An administrator's wording, as typed. */
export const NO_WORDING = { subject: '', message: '' };

export const wordingOf = ({ subject, message }: typeof NO_WORDING): Wording => ({
  subject: subject.trim() || null,
  message: message.trim() || null,
});

export function InviteWording({
  quizId,
  typed,
  onTyped,
}: {
  quizId: string;
  typed: typeof NO_WORDING;
  onTyped(typed: typeof NO_WORDING): void;
}) {
  const preview = useInvitePreview(quizId);
  const [shownFor, setShownFor] = useState<typeof NO_WORDING | null>(null);
  const wording = wordingOf(typed);
  const { subject, message } = wording;
  const shown = shownFor === typed ? preview.data : undefined;

  const show = () =>
    preview.mutate(wording, {
      onSuccess: () => setShownFor(typed),
      onError: (error) =>
        showFailure(t('invite.preview.failed', 'Failed to load the preview'), error),
    });

  return (
    <div className="grid gap-4">
      <TextField
        label={t(/* of an email */ 'invite.subject', 'Subject')}
        optional
        hint={t('invite.subject.hint', 'Leave empty for the standard subject.')}
        error={
          (subject ?? '').length > SUBJECT_MOST ? atMostCharactersText(SUBJECT_MOST) : undefined
        }
        value={typed.subject}
        onChange={(event) => onTyped({ ...typed, subject: event.target.value })}
      />
      <TextArea
        label={t('invite.message', 'Personal message')}
        optional
        rows={4}
        hint={t(
          'invite.message.hint',
          'The one-time password and instructions are always included.',
        )}
        error={
          (message ?? '').length > MESSAGE_MOST ? atMostCharactersText(MESSAGE_MOST) : undefined
        }
        value={typed.message}
        onChange={(event) => onTyped({ ...typed, message: event.target.value })}
      />
      <div>
        <Button
          size="dense"
          icon={<Eye />}
          aria-disabled={isTooLong(wording)}
          busy={preview.isPending && t('portal.loading', 'Loading…')}
          onClick={show}
        >
          {t(/* a button */ 'invite.preview.show', 'Preview message')}
        </Button>
      </div>
      {shown !== undefined && (
        <section
          aria-label={t(/* of an email */ 'invite.preview', 'Preview')}
          className="grid gap-2 rounded-lg bg-sunken px-4 py-3.5"
        >
          <p dir="auto" className="font-semibold wrap-anywhere">
            {shown.subject}
          </p>
          <p dir="auto" className="text-sm wrap-anywhere whitespace-pre-line text-ink-2">
            {shown.text}
          </p>
        </section>
      )}
    </div>
  );
}
