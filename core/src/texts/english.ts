import { i18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';

const compiled = new Map<string, ReturnType<typeof compileMessage>>();

// English as it stands in the source, compiled when it is needed. The web's build leaves this module out.
i18n.setMessagesCompiler((message) => {
  const known = compiled.get(message) ?? compileMessage(message);
  compiled.set(message, known);
  return known;
});
i18n.loadAndActivate({ locale: 'en', messages: {} });
