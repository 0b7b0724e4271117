import { expect, test, vi } from 'vitest';
import { draw, tagsOf, wordsOf } from '../../testing/drawn.tsx';
import { LoginScreen } from './login-screen.tsx';

vi.stubGlobal('localStorage', { getItem: () => null });
const markup = draw(<LoginScreen />);
const words = wordsOf(markup);
const inputNamed = (name: string) =>
  tagsOf(markup, 'input').find((tag) => tag.includes(`name="${name}"`)) ?? '';

test('title, subtitle, note and button of the sign-in page', () => {
  expect(markup).toMatch(/<h1[^>]*>Assessment Login<\/h1>/);
  expect(words).toContain('Assessment Login Sign in to your account');
  expect(words).toContain('Use the one-time password provided in your email invitation.');
  expect(words).toMatch(/Sign In Administrator and forgot your password\?$/);
});

test('an email field, a password that can be shown, and a captcha with code, refresh and input', () => {
  expect(inputNamed('email')).toMatch(/type="email"/);
  expect(inputNamed('password')).toMatch(/type="password"/);
  expect(markup).toContain('aria-label="Show password"');
  expect(inputNamed('captcha')).toMatch(/type="text"/);
  expect(markup).toMatch(/<output[^>]*>[A-HJ-NP-Z2-9]{5}<\/output>/);
  expect(markup).toContain('aria-label="New captcha code"');
  for (const name of ['email', 'password', 'captcha']) {
    expect(inputNamed(name)).toContain('required');
  }
});
