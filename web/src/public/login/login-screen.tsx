import { Link } from 'react-router';
import { EndedCard } from './ended-card.tsx';
import { LoginForm } from './login-form.tsx';
import { LOGIN_LINK, LoginFrame } from './login-frame.tsx';

/** /login, for candidates and administrators. */
export function LoginScreen() {
  return (
    <LoginFrame title="Assessment Login" subtitle="Sign in to your account">
      <EndedCard />
      <LoginForm />
      <Link to="/reset-password" className={LOGIN_LINK}>
        Administrator and forgot your password?
      </Link>
    </LoginFrame>
  );
}
