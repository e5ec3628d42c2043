import { alerts } from './alerts';
import { campaigns } from './campaigns';
import { common } from './common';
import { components } from './components';
import { login } from './login';
import { messages } from './messages';
import { numbers } from './numbers';
import { optOuts } from './opt-outs';
import { overview } from './overview';
import { preview } from './preview';
import { send } from './send';
import { settings } from './settings';
import { shell } from './shell';
import { templateEditor } from './template-editor';
import { templates } from './templates';

/** Every text of the page, by feature. A translation replaces this object. */
export const strings = {
  alerts,
  campaigns,
  common,
  components,
  login,
  numbers,
  optOuts,
  overview,
  messages,
  preview,
  send,
  settings,
  shell,
  templateEditor,
  templates,
};
