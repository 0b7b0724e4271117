import { TimerReset } from 'lucide-react';
import { Link } from 'react-router';
import { currentParticipantKey } from '../../lib/person/local-keys.ts';
import { Notice } from '../../ui/notice.tsx';
import { EndedCard } from './ended-card.tsx';
import { LoginForm } from './login-form.tsx';
import { LOGIN_LINK, LoginFrame } from './login-frame.tsx';

/** /login, for candidates and administrators. */
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
      <Link to="/reset-password" className={LOGIN_LINK}>
        Administrator and forgot your password?
      </Link>
    </LoginFrame>
  );
}
