import { isolated } from '@invigil/core/domain/typed-text';
import { CircleCheck, CircleStop, TimerReset } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatTime } from '../../lib/format.ts';
import { endedHere } from '../../lib/person/ended-attempt.ts';
import { currentParticipantKey } from '../../lib/person/local-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { LoginForm } from './login-form.tsx';
import { LOGIN_LINK, LoginFrame } from './login-frame.tsx';

export function LoginScreen() {
  return (
    <LoginFrame title="Assessment Login" subtitle="Sign in to your account">
      <EndedCard />
      {currentParticipantKey.read() !== null && (
        <Notice
          tone="accent"
          icon={<TimerReset />}
          title="An assessment was under way in this browser"
        >
          Unless its time is over, its clock is running. Sign in with the one-time password from
          your email: you continue where you left off, and what you changed is kept.
        </Notice>
      )}
      <LoginForm />
      <p className="text-sm text-ink-2">
        Administrators sign in here too, with their own password.
      </p>
      <Link to="/reset-password" className={LOGIN_LINK}>
        Administrator and forgot your password?
      </Link>
    </LoginFrame>
  );
}

/** The attempt that has just ended in this tab: what, when, the receipt. Gone after ten minutes. */
function EndedCard() {
  const [kept, setKept] = useState(endedHere);
  const [, navigate] = useLocation();
  useEffect(() => {
    if (kept === null) return;
    const timer = setTimeout(() => setKept(null), kept.until - Date.now());
    return () => clearTimeout(timer);
  }, [kept]);
  if (kept === null) return null;
  const { ended } = kept;
  const { title, summary, submittedAt, receipt, detected } = ended;
  const dismissed = summary.status === 'dismissed';
  const isSubmitted = !dismissed && summary.submissionType !== 'database';
  const became = dismissed
    ? 'was ended under its rules'
    : isSubmitted
      ? 'is submitted'
      : 'was ended by the administrator';
  const notes = detected.length > 0 ? ended.notes : null;
  return (
    <Notice
      tone={isSubmitted ? 'ok' : 'neutral'}
      icon={isSubmitted ? <CircleCheck /> : <CircleStop />}
      title={`“${isolated(title)}” ${became}`}
    >
      <p>
        {`${formatTime(submittedAt)}, receipt `}
        <span className="code text-sm">{receipt.id}</span>
        {notes !== null && `. You can add a note until ${formatTime(notes.until)}.`}
      </p>
      <Button
        size="dense"
        className="mt-2"
        onClick={() => navigate('/assessment-completed', { state: { dismissed, ended } })}
      >
        {isSubmitted ? 'Show the receipt' : 'Reason, receipt and notes'}
      </Button>
    </Notice>
  );
}
