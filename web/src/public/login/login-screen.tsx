import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { CircleCheck, CircleStop, TimerReset } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { formatTime } from '../../lib/format.ts';
import { endedHere } from '../../lib/person/ended-attempt.ts';
import { currentParticipantKey } from '../../lib/person/local-keys.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Trans } from '../../ui/trans.tsx';
import { LoginForm } from './login-form.tsx';
import { LOGIN_LINK, LoginFrame } from './login-frame.tsx';

export function LoginScreen() {
  return (
    <LoginFrame
      title={t('login.title', 'Assessment Login')}
      subtitle={t('login.subtitle', 'Sign in to your account')}
    >
      <EndedCard />
      {currentParticipantKey.read() !== null && (
        <Notice
          tone="accent"
          icon={<TimerReset />}
          title={t('login.underWay.title', 'An assessment was under way in this browser')}
        >
          {t(
            'login.underWay.text',
            'Unless its time is over, its clock is running. Sign in with the one-time password from your email: you continue where you left off, and what you changed is kept.',
          )}
        </Notice>
      )}
      <LoginForm />
      <p className="text-sm text-ink-2">
        {t('login.administrators', 'Administrators sign in here too, with their own password.')}
      </p>
      <Link to="/reset-password" className={LOGIN_LINK}>
        {t('login.lost', 'Forgot or lost your password?')}
      </Link>
      <Link to="/check" className={LOGIN_LINK}>
        {t(
          /* heading of a page; also a link to it, and the label of its address */ 'check.title',
          'Check your device',
        )}
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
  const values = { title: isolated(title) };
  const heading = dismissed
    ? t('login.ended.dismissed', '“{title}” was ended under its rules', values)
    : isSubmitted
      ? t('login.ended.submitted', '“{title}” is submitted', values)
      : t('login.ended.byAdministrator', '“{title}” was ended by the administrator', values);
  const notes = detected.length > 0 ? ended.notes : null;
  const id = <span className="code text-sm">{receipt.id}</span>;
  const time = formatTime(submittedAt);
  return (
    <Notice
      tone={isSubmitted ? 'ok' : 'neutral'}
      icon={isSubmitted ? <CircleCheck /> : <CircleStop />}
      title={heading}
    >
      <p>
        {notes === null ? (
          <Trans id="login.ended.receipt" message="{time}, receipt {id}" values={{ time, id }} />
        ) : (
          <Trans
            id="login.ended.receiptAndNote"
            message="{time}, receipt {id}. You can add a note until {until}."
            values={{ time, id, until: formatTime(notes.until) }}
          />
        )}
      </p>
      <Button
        size="dense"
        className="mt-2"
        onClick={() => navigate('/assessment-completed', { state: { dismissed, ended } })}
      >
        {isSubmitted
          ? t('login.ended.show', 'Show the receipt')
          : t('login.ended.reasons', 'Reason, receipt and notes')}
      </Button>
    </Notice>
  );
}
