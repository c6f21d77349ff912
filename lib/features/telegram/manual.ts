/** Pages of the manual: Telegram and its chats. */
import type { ManualPage } from '../manual-pages.ts';

export const TELEGRAM_PAGES: readonly ManualPage[] = [
  {
    title: 'Set up a Telegram bot, to talk from a phone',
    german: 'Einen Telegram-Bot einrichten, um vom Telefon zu schreiben',
    words:
      'mobile smartphone iphone android app messenger botfather token create connect talk write message chat on the go ' +
      'Handy Smartphone Mobiltelefon unterwegs App Messenger einrichten anlegen erstellen verbinden schreiben reden sprechen',
    steps: [
      [
        'npx passepartout setup --only telegram',
        'asks for the bot’s token, which @BotFather gives, and tries it',
        'fragt nach dem Token des Bots, das @BotFather gibt, und probiert es aus',
      ],
      [
        'npx passepartout pair',
        'prints the line to send to the bot from your phone',
        'gibt die Zeile aus, die du vom Telefon an den Bot schickst',
      ],
    ],
    see: 'infra/telegram.md',
  },
  {
    title: 'Pair a Telegram chat or group, or let another person in',
    german: 'Einen Telegram-Chat oder eine Gruppe verbinden, oder noch jemanden hereinlassen',
    words:
      'phone code one-time allow somebody else wife husband partner colleague friend family member second user join invite group channel ' +
      'Telefon Handy Code Einmalcode jemand anderes Frau Mann Partner Kollege Freund Familie Mitglied zweiter Nutzer einladen zulassen Gruppe roommate flatmate reach you as well also write too my family may talk Mitbewohner auch schreiben mitbenutzen darf erreichen Mutter',
    steps: [
      [
        'npx passepartout pair',
        'prints a one-time line; sent to the bot, it lets in the chat that sends it',
        'gibt eine einmalige Zeile aus; wer sie dem Bot schickt, dessen Chat wird bedient',
      ],
    ],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'See the paired chats, and stop serving one',
    german: 'Die verbundenen Chats sehen, und einen nicht mehr bedienen',
    words:
      'remove delete kick out throw ban block person people who may write unpair disconnect revoke access list ' +
      'entfernen löschen rauswerfen sperren ausschließen trennen Person wer darf schreiben Zugang entziehen fired former ex employee no longer shut out get lost unwanted gekündigt ehemaliger Mitarbeiter unerwünscht nicht mehr',
    verbs: ['chats list', 'chats remove'],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'Choose hours in which a chat is left in peace',
    german: 'Stunden wählen, in denen ein Chat Ruhe hat',
    words:
      'mute quiet silent silence night sleep disturb bother notifications do not weekend evening hours off pause messages ' +
      'stumm stummschalten still Ruhe nachts Nacht schlafen stören Benachrichtigungen Ruhezeit abends keine Nachrichten vacation peace at work meeting dinner until morning do-not-disturb Urlaub Ruhe Besprechung Essen bis morgens Sonntag',
    verbs: ['chats mute'],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'Have each message of a group answered, or only those meant for the agent',
    german: 'Jede Nachricht einer Gruppe beantworten lassen, oder nur die für den Agenten',
    words:
      'group chat react respond reply every all mention ignore listen quiet team ' +
      'Gruppe Gruppenchat reagieren antworten jede alle erwähnen zuhören mitlesen ignoriert',
    verbs: ['chats listen'],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'Name a chat, and send somebody a text by that name',
    german: 'Einen Chat benennen, und jemandem einen Text unter diesem Namen schicken',
    words:
      'contact address book text message write tell forward to person mum mom dad wife friend alias nickname recipient ' +
      'Kontakt Adressbuch Nachricht schreiben schicken senden ausrichten weiterleiten Mama Papa Freund Empfänger Spitzname tell my wife let her know pass on to several people at once phone number Bescheid geben mehreren gleichzeitig meiner Frau sagen',
    verbs: ['chats name', 'chats names', 'chats unname', 'send'],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'Choose the chat that gets news, offers and reports (home chat)',
    german: 'Den Chat wählen, in den Neues, Angebote und Berichte kommen (Hauptchat)',
    words:
      'home default main where notifications unasked destination deliver arrive reports events ' +
      'Zuhause Standard Haupt wohin Meldungen Benachrichtigungen Ziel ankommen Berichte Ereignisse',
    steps: [
      [
        '/config set HOME_CHAT <id>',
        'texts that nobody asked for go to this chat; /chats lists the ids',
        'ungefragte Texte gehen in diesen Chat; /chats nennt die Kennungen',
      ],
    ],
    see: 'infra/telegram.md#chats',
  },
  {
    title: 'Let Telegram reach a deployed stack',
    german: 'Telegram mit einem Stack in der Cloud verbinden',
    words: 'cloud aws bot silent webhook address deployed ; Cloud Bot stumm Adresse',
    steps: [
      [
        'npx passepartout connect-telegram --stack <name>',
        'tells Telegram the address of a deployed stack',
        'nennt Telegram die Adresse eines Stacks in der Cloud',
      ],
    ],
    see: 'infra/from-nothing-to-aws.md',
  },
];
