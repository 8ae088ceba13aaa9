-- What a fleet needs in a Postgres: a user, and a database that is its own. ralph makes the tables.
create role ralph login password 'CHANGE-THIS-PASSWORD';
create database ralph owner ralph;
