export const ADMIN = { email: 'admin@example.org', password: 'a quiet desk and a pen' } as const;

/** The time zone of server and browsers. */
export const TIME_ZONE = 'Europe/Berlin';

/** The environment of every test server. */
export const SERVER_SETTINGS = {
  ADMIN_EMAIL: ADMIN.email,
  ADMIN_PASSWORD: ADMIN.password,
  SMTP_ALLOWED_HOSTS: '127.0.0.1',
  TIME_ZONE,
};

/** Mail settings for the mail sink at this port; nothing listens on port 1. */
export const mailServer = (port: number) => ({
  host: '127.0.0.1',
  port,
  username: 'invigil',
  password: 'a secret of the mail server',
  fromEmail: 'assessments@example.org',
});
